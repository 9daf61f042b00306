// The branches: a button in the transport, and the rail under the ladder.
// Each branch is a line that drops from the stop it forks at.

import { byId, el, fill, icon } from './dom.js';
import { saveText } from './export.js';
import { openMenu } from './menu.js';

const ns = 'http://www.w3.org/2000/svg';
/** The ladder's own margins, so that the lines share its x axis. */
const left = 40;
const right = 16;

/**
 * @param {import('./session.js').Session} session
 */
export function branches(session) {
  const button = byId('branch');
  const rail = byId('rail');
  let renaming = '';

  function draw() {
    const { info } = session;
    if (!info) return;
    const n = info.branches.length;
    const current = info.branches.find((b) => b.id === info.branch);
    button.toggleAttribute('data-only', n === 1);
    button.textContent = n === 1 ? `Branch: ${current?.name ?? 'main'}` : `${n} branches`;
    button.setAttribute('aria-label', n === 1 ? 'Branch: main. What you do by hand opens another.' : `${n} branches, ${current?.name} is on screen`);
    if (!rail.hidden) drawRail();
  }

  /** Main on top, then later forks before earlier ones, so that no drop crosses a line. */
  function ordered(list) {
    return [...list].sort((a, b) => (a.id === 'main' ? -1 : b.id === 'main' ? 1 : b.fork - a.fork));
  }

  function drawRail() {
    const { info } = session;
    const rows = ordered(info.branches);
    const longest = Math.max(2, ...rows.map((b) => b.stops));
    const width = rail.clientWidth || 736;
    const height = rowHeight();
    const x = (stop) => left + (stop * (width - left - right)) / (longest - 1);
    const line = picture(rows, info, x, height, width);
    fill(rail, line, el('ul', {}, rows.map((b) => row(b, info, x, width))));
    rail.querySelector('input')?.select();
  }

  function row(b, info, x, width) {
    const on = b.id === info.branch;
    const end = x(b.stops - 1);
    const li = el(`li${on ? '.on' : ''}`, {});
    const place = b.id === 'main' ? { left: '0px' } : end > width - 240 && x(b.fork) > 200 ? { right: `${width - x(b.fork) + 8}px` } : { left: `${Math.min(end + 10, width - 220)}px` };
    const box = el('span.name', {}, renaming === b.id ? field(b) : el('button.link', { 'aria-current': on ? 'true' : null, onclick: () => session.call('branch', { id: b.id }) }, b.name),
      b.id !== 'main' && el('button.icon', { 'aria-haspopup': 'menu', 'aria-label': `${b.name}: more`, onclick: (e) => more(e.currentTarget, b) }, icon('more')));
    Object.assign(box.style, place);
    li.append(box);
    return li;
  }

  function field(b) {
    const input = el('input.field', { value: b.name, 'aria-label': 'Name of the branch', maxlength: 60 });
    const done = async (keep) => {
      if (renaming !== b.id) return;
      renaming = '';
      if (keep && input.value.trim() && input.value.trim() !== b.name) await session.call('rename', { id: b.id, name: input.value.trim() });
      draw();
      rail.querySelector('[aria-current]')?.focus();
    };
    input.addEventListener('keydown', (e) => {
      e.stopPropagation();
      if (e.key !== 'Enter' && e.key !== 'Escape') return;
      e.preventDefault(); // or the key would press what gets the focus
      done(e.key === 'Enter');
    });
    input.addEventListener('blur', () => done(true));
    queueMicrotask(() => input.focus());
    return input;
  }

  function more(anchor, b) {
    openMenu(anchor, {
      title: b.name,
      groups: [[
        { label: 'Rename', run: () => { renaming = b.id; drawRail(); } },
        { label: 'Save as a scenario', run: () => save(b) },
        { label: 'Delete', run: () => session.call('delete', { id: b.id }) },
      ]],
    });
  }

  async function save(b) {
    const { info } = session;
    if (info.branch !== b.id) await session.call('branch', { id: b.id });
    saveText(session.fileName(), session.text());
  }

  function toggle(open = rail.hidden) {
    rail.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
    if (open) drawRail();
  }

  /** Puts the next branch on screen. */
  function next() {
    const { info } = session;
    if (!info || info.branches.length < 2) return;
    const rows = ordered(info.branches);
    const at = rows.findIndex((b) => b.id === info.branch);
    session.call('branch', { id: rows[(at + 1) % rows.length].id });
  }

  button.addEventListener('click', () => toggle());
  let count = 1;
  session.addEventListener('info', () => {
    const now = session.info.branches.length;
    if (now > 1 && count === 1) toggle(true);
    if (now === 1) toggle(false);
    count = now;
    draw();
  });
  session.addEventListener('position', draw);
  new ResizeObserver(draw).observe(rail);
  return { next };
}

function rowHeight() {
  return matchMedia('(max-width: 719px)').matches ? 44 : 28;
}

/** The lines themselves; names and keys are elements beside it. */
function picture(rows, info, x, height, width) {
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('width', width);
  svg.setAttribute('height', rows.length * height);
  svg.setAttribute('aria-hidden', 'true');
  const draw = (tag, attributes) => {
    const node = document.createElementNS(ns, tag);
    for (const [k, v] of Object.entries(attributes)) node.setAttribute(k, v);
    svg.append(node);
  };
  // Where rows are high, for fingers, the name stands under its line.
  const y = (id) => rows.findIndex((b) => b.id === id) * height + (height > 30 ? 10 : height / 2);
  const path = lineage(rows, info.branch);
  for (const b of rows) {
    const drop = b.parent && y(b.parent) !== y(b.id) ? `M${x(b.fork)} ${y(b.parent)}V${y(b.id)}` : `M${x(0)} ${y(b.id)}`;
    draw('path', { class: 'rest', d: `${drop}H${x(b.stops - 1)}` });
    for (let i = b.id === 'main' ? 0 : b.fork + 1; i < b.stops && b.stops < 120; i++) draw('path', { class: 'rest thin', d: `M${x(i)} ${y(b.id) - 3}v6` });
  }
  path.forEach((b, i) => {
    const from = i === 0 ? `M${x(0)} ${y(b.id)}` : `M${x(b.fork)} ${y(b.parent)}V${y(b.id)}`;
    const end = path[i + 1] ? path[i + 1].fork : info.position.stop;
    if (i > 0 && info.position.stop < b.fork) return;
    draw('path', { class: 'played', d: `${from}H${x(Math.min(end, info.position.stop))}` });
  });
  for (const b of rows) if (b.parent) draw('circle', { class: 'ring', cx: x(b.fork), cy: y(b.parent), r: 4 });
  const head = [...path].reverse().find((b) => !b.parent || info.position.stop >= b.fork) ?? rows[0];
  draw('circle', { class: 'head', cx: x(info.position.stop), cy: y(head.id), r: 5.5 });
  return svg;
}

/** From main down to the branch of that id. */
function lineage(rows, id) {
  const path = [];
  for (let b = rows.find((r) => r.id === id); b; b = rows.find((r) => r.id === b.parent)) path.unshift(b);
  return path;
}
