// The inspector: one thing of the board in words and raw values.

import { byId, el, fill, gathered, hue, pill, sentence, stateWord } from './dom.js';
import { marks } from './invariants.js';
import { stateTable } from './table.js';
import { makeTabs } from './tabs.js';

/**
 * @typedef {{name: string, value: any, epoch?: number, timer?: {leftMs: number, ofMs: number}}} Row
 * @typedef {{id: string, title: string, kind: string, sentence: string, rows: Row[], request?: object, response?: object, records?: object[]}} Inspection
 */

/**
 * @param {import('./session.js').Session} session
 * @param {import('./selection.js').Selection} selection
 */
export function inspector(session, selection) {
  const section = byId('inspector');
  const list = el('div.tabs', { 'aria-label': 'Inspector' });
  const choose = el('select.what', { 'aria-label': 'What to inspect', onchange: () => selection.choose(choose.value, 'list') });
  const panel = el('div.panel', { tabindex: 0 });
  section.append(list, el('div.what-row', {}, choose), panel);
  const tabs = makeTabs(list, panel, [
    { id: 'state', label: 'State' }, { id: 'request', label: 'Request' }, { id: 'response', label: 'Response' }, { id: 'table', label: 'Table' },
  ], () => draw());

  function draw() {
    const { bridge } = session.scope;
    choose.hidden = !bridge || !session.info;
    if (choose.hidden) {
      fill(panel, el('p.soft', {}, 'The inspector arrives with the player.'));
      return;
    }
    fillChoices(bridge);
    if (tabs.current === 'table') {
      fill(panel, stateTable(bridge.snapshot(), (id) => selection.choose(id, 'list')));
      return;
    }
    const seen = look(bridge);
    if (tabs.current === 'state') fill(panel, state(seen), selection.thing === 'group' && el('div.checks', {}, marks(session.scope.caption)));
    else if (tabs.current === 'request') fill(panel, raw(seen.request, 'No request of it belongs to this step.'));
    else fill(panel, raw(seen.response, 'No answer to it belongs to this step.'), records(seen.records));
  }

  /** What is chosen may be gone at this step, such as a message: then the program says so. @returns {Inspection} */
  function look(bridge) {
    try {
      return bridge.inspect(selection.id);
    } catch (err) {
      if (err.kind !== 'refused') throw err;
      return { id: selection.id, title: '', kind: '', sentence: err.message, rows: [] };
    }
  }

  function fillChoices(bridge) {
    const regions = bridge.regions();
    const options = new Map([['group', 'Group'], ...session.info.members.map((name) => [`member/${name}`, `Member ${name}`])]);
    const partitions = regions.filter((r) => r.id.startsWith('partition/')).map((r) => r.id.split('/')[1]);
    const tasks = session.info.protocol === 'streams';
    for (const name of partitions.sort(byNumber)) options.set(`partition/${name}`, tasks ? name.replace(/-(\d+)$/, '_$1') : name);
    for (const r of regions) if (r.id.startsWith('message/')) options.set(r.id, r.title);
    const key = [...options].join('\n');
    if (choose.dataset.key !== key) {
      choose.dataset.key = key;
      fill(choose, [...options].map(([id, title]) => el('option', { value: id }, title)));
    }
    choose.value = selection.thing;
  }

  const redraw = gathered(draw);
  session.addEventListener('info', redraw);
  session.addEventListener('position', redraw);
  selection.addEventListener('change', (e) => {
    if (e.detail.from === 'board' && tabs.current === 'table') tabs.choose('state');
    redraw();
  });
  draw();
  return { draw, choose: tabs.choose, focus: () => choose.focus() };
}

/** The rows that begin something else: what is held, what runs, what was asked, the client's own view. */
const groups = new Set(['Assigned', 'Session', 'Previous epoch', 'Client']);

/** @param {Inspection} seen */
function state(seen) {
  return [
    seen.sentence && el('p.sentence', {}, sentence(seen.sentence)),
    el('dl', {}, seen.rows.map((row) => [name(row), value(row)])),
  ];
}

/** A name of one long word, such as a setting, has a line of its own. @param {Row} row */
function name(row) {
  return el(`dt${groups.has(row.name) ? '.group' : ''}${/\S{16}/.test(row.name) ? '.long' : ''}`, {}, row.name);
}

/** @param {Row} row */
function value(row) {
  if (row.name === 'State' || row.name === 'Client') return el('dd', {}, stateWord(plain(row.value)));
  if (row.epoch !== undefined && row.epoch !== null && `${row.value}` === `${row.epoch}`) return el('dd', {}, pill(row.epoch));
  if (row.epoch !== undefined && row.epoch !== null) return el('dd', {}, plain(row.value), ' ', el(`span.pill.small.e${hue(row.epoch)}`, { title: `epoch ${row.epoch}` }, row.epoch));
  if (row.timer) {
    const share = Math.max(0, Math.min(1, row.timer.leftMs / row.timer.ofMs));
    const bar = el('i');
    bar.style.width = `${share * 100}%`;
    return el('dd.num', {}, plain(row.value), el('span.tbar', { class: `tbar${share < 0.1 ? ' late' : ''}`, 'aria-hidden': 'true' }, bar));
  }
  return el('dd.num', {}, plain(row.value));
}

function plain(v) {
  if (v === null || v === undefined || v === '') return 'none';
  if (Array.isArray(v)) return v.length ? v.map(plain).join(', ') : 'none';
  if (typeof v === 'object') return Object.entries(v).map(([k, x]) => `${k} ${Array.isArray(x) ? `[${x.join(', ')}]` : plain(x)}`).join(', ') || 'none';
  return String(v);
}

/** A request, a response or a record as it goes over the wire: the protocol's names, one a line. */
function raw(object, none) {
  if (!object) return el('p.soft', {}, none);
  return el('pre.raw', {}, lines(object, '').join('\n'));
}

function lines(object, indent) {
  return Object.entries(object).flatMap(([key, v]) => {
    if (v !== null && typeof v === 'object' && !Array.isArray(v)) {
      const inner = lines(v, `${indent}  `);
      return inner.length ? [`${indent}${key}:`, ...inner] : [`${indent}${key}: {}`];
    }
    if (Array.isArray(v) && v.some((x) => x !== null && typeof x === 'object')) {
      return [`${indent}${key}:`, ...v.flatMap((x) => lines(x, `${indent}    `).map((l, i) => (i === 0 ? `${indent}  - ${l.trimStart()}` : l)))];
    }
    return [`${indent}${key}: ${Array.isArray(v) ? `[${v.join(', ')}]` : v === null ? 'null' : v}`];
  });
}

function records(list) {
  if (!list?.length) return null;
  return [el('h4', {}, list.length === 1 ? 'Record written' : 'Records written'), list.map((r) => el('pre.raw', {}, typeof r === 'string' ? r : lines(r, '').join('\n')))];
}

/** foo-2 before foo-10. */
function byNumber(a, b) {
  return a.localeCompare(b, 'en', { numeric: true });
}
