// The log of events: a line a stop, and under the one on screen what happened in it.

import { byId, el, fill, icon, sentence } from './dom.js';
import { whatYouDid } from './did.js';
import { makeTabs } from './tabs.js';

/**
 * @typedef {{stop: number, label: string, at: number, kind: string, text: string, member: string, error: string, event: number, count: number}} LogLine
 */

/** More stops than this around the one on screen are not in the page at once. */
const windowSize = 400;

const marks = { request: '→', response: '←', decision: '·', records: '+', action: '!', fault: '×', client: '·' };
const kinds = { request: 'request', response: 'response', decision: 'decision', records: 'records written', timer: 'timer', action: 'done by hand', fault: 'fault', client: 'client' };

/**
 * @param {import('./session.js').Session} session
 * @param {import('./selection.js').Selection} selection  follows the member that a step is about
 */
export function log(session, selection) {
  const section = byId('log');
  const list = el('div.tabs', { 'aria-label': 'Events' });
  const panel = el('div.panel', { tabindex: 0 });
  section.append(list, panel);
  const tabs = makeTabs(list, panel, [{ id: 'events', label: 'Events' }, { id: 'did', label: 'What you did' }], () => draw());
  let openAll = false;
  /** @type {Map<number, LogLine[]>} */
  let byStop = new Map();
  /** The first and the last stop that are in the page. */
  let from = 0;
  let to = -1;

  function read() {
    byStop = new Map();
    const { bridge } = session.scope;
    if (!bridge) return;
    for (const line of bridge.log()) {
      if (!byStop.has(line.stop)) byStop.set(line.stop, []);
      byStop.get(line.stop).push(line);
    }
  }

  function draw() {
    if (tabs.current === 'did') {
      fill(panel, whatYouDid(session));
      return;
    }
    const { info, position } = session;
    if (!info) {
      fill(panel, el('p.soft', {}, 'Arrives with the player.'));
      return;
    }
    const here = position.stop;
    from = Math.max(0, here - windowSize / 2);
    to = Math.min(info.stops.length - 1, from + windowSize - 1);
    // Where no time passes, the times say nothing.
    panel.classList.toggle('timeless', info.stops.every((stop) => stop.at === 0));
    fill(panel,
      el('button.link.all', { 'aria-pressed': String(openAll), onclick: () => { openAll = !openAll; draw(); } }, openAll ? 'One line a step' : 'Show all details'),
      el('ol', {},
        from > 0 && el('li.gap', {}, `${from} earlier steps`),
        info.stops.slice(from, to + 1).map((stop) => line(stop, here)),
        to < info.stops.length - 1 && el('li.gap', {}, `${info.stops.length - 1 - to} later steps`)));
    reveal();
  }

  function line(stop, here) {
    const on = stop.index === here;
    const lines = byStop.get(stop.index) ?? [];
    const idle = lines.filter((l) => l.kind === 'idle').reduce((n, l) => n + (l.count || 1), 0);
    const details = lines.filter((l) => l.kind !== 'idle');
    return el(`li${on ? '.on' : ''}`, { 'data-stop': stop.index },
      el('button.stop', { 'aria-current': on ? 'step' : null, onclick: () => session.go(stop.index) },
        el('span.soft.num.time', {}, seconds(stop.at)), el('span.label', {}, stop.label),
        el(`span${stop.violated ? '.bad' : ''}`, {}, sentence(words(stop, details)))),
      idle > 0 && el('p.idle', {}, `${idle} idle heartbeat${idle === 1 ? '' : 's'}`),
      (on || openAll) && details.length > 0 && el('ul.details', {}, details.map(detail)));
  }

  function detail(l) {
    const text = l.kind === 'records' ? el('code', {}, l.text) : el('span', {}, sentence(l.text), l.error && l.error !== 'NONE' && !l.text.includes(l.error) && el('b.bad', {}, ` ${l.error}`));
    return el('li', {}, el('span.mark', { title: kinds[l.kind] ?? l.kind, 'aria-label': kinds[l.kind] ?? l.kind }, l.kind === 'timer' ? icon('clock') : marks[l.kind] ?? '·'), text);
  }

  /** The line of the stop on screen in view, without moving the page. */
  function reveal() {
    const on = panel.querySelector('li.on');
    if (!on) return;
    const box = on.getBoundingClientRect();
    const view = panel.getBoundingClientRect();
    if (box.top < view.top || box.bottom > view.bottom) panel.scrollTop += box.top - view.top - view.height / 3;
  }

  function move() {
    const here = session.position?.stop;
    const member = byStop.get(here)?.find((l) => l.member)?.member;
    if (member) selection.follow(`member/${member}`);
    const on = panel.querySelector('li.on');
    if (tabs.current === 'did' || here === undefined) return;
    if (on?.dataset.stop === String(here)) return;
    if (here < from || here > to || !session.info) {
      draw();
      return;
    }
    for (const index of [Number(on?.dataset.stop ?? -1), here]) {
      panel.querySelector(`li[data-stop="${index}"]`)?.replaceWith(line(session.info.stops[index], here));
    }
    reveal();
  }

  session.addEventListener('info', () => { read(); draw(); });
  session.addEventListener('position', move);
  draw();
  return { show: tabs.choose };
}

function words(stop, details) {
  if (stop.say) return stop.say;
  return details.find((l) => l.kind === 'decision')?.text ?? details[0]?.text ?? (stop.index === 0 ? 'The start' : '');
}

function seconds(ms) {
  return (ms / 1000).toFixed(1);
}
