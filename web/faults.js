// The row of what can be done to a member, and the menu with all of it.
// What is possible now, and why something is not, is the program's to say.

import { byId, el, gathered, icon, renew } from './dom.js';
import { live } from './live.js';
import { openMenu } from './menu.js';

/**
 * @typedef {{label: string, action: string, enabled: boolean, reason: string}} Possible
 */

/** The places of the row. A place shows the first of its verbs that can be done now. */
const places = [
  { verbs: ['heartbeat', 'join'], words: { heartbeat: 'Heartbeat', join: 'Join' }, drop: 1 },
  null,
  { verbs: ['lose-request'], words: { 'lose-request': 'Lose request' }, drop: 6 },
  { verbs: ['lose-response'], words: { 'lose-response': 'Lose response' }, drop: 7 },
  { verbs: ['delay'], words: { delay: 'Delay' }, drop: 3 },
  null,
  { verbs: ['pause'], words: { pause: 'Pause' }, drop: 5 },
  { verbs: ['crash', 'restart'], words: { crash: 'Crash', restart: 'Restart' }, drop: 8 },
  { verbs: ['leave'], words: { leave: 'Leave' }, drop: 4 },
  null,
  { verbs: ['fail-over'], words: { 'fail-over': 'Fail over' }, drop: 2 },
];

/** How long the clients may live by themselves. */
const waits = [
  { label: 'Run 1 s', action: 'run: 1s' },
  { label: 'Run 5 s', action: 'run: 5s' },
  { label: 'Run 60 s', action: 'run: 60s' },
  { label: 'Run 6 min', action: 'run: 6m' },
];

/**
 * @param {import('./session.js').Session} session
 * @param {import('./selection.js').Selection} selection
 */
export function faults(session, selection) {
  const row = byId('faults');
  let member = '';
  /** @type {Possible[]} */
  let possible = [];

  function draw() {
    const { info, scope } = session;
    if (!info || !scope.bridge) return;
    if (!info.members.includes(member)) member = info.members[0] ?? '';
    possible = offers(scope.bridge, member);
    renew(row,
      el('span.soft', {}, 'Do to'),
      el('button.btn.who', { 'aria-haspopup': 'menu', 'aria-label': `Do to ${member || 'nobody'}: choose a member`, onclick: (e) => whom(e.currentTarget) }, member || 'nobody'),
      el('i'),
      places.map((place) => (place ? fault(place) : el('i'))),
      el('i'),
      el('button.btn', { 'data-drop': 9, onclick: () => live(session, 'run: 60s'), title: 'Clients live by themselves for 60 s' }, 'Run 60 s'),
      el('button.btn.more', { 'aria-haspopup': 'menu', 'aria-label': 'All that can be done', onclick: (e) => all(e.currentTarget) }, icon('more')));
    fit(row);
  }

  function fault(place) {
    const found = place.verbs.map((v) => possible.find((p) => verb(p) === v)).filter(Boolean);
    const choice = found.find((p) => p.enabled) ?? found[0];
    if (!choice) return null;
    return button(choice, place.words[verb(choice)], place.drop);
  }

  function button(choice, words, drop) {
    return el('button.btn', {
      'data-drop': drop,
      'data-action': choice.action,
      'aria-disabled': choice.enabled ? null : 'true',
      title: choice.enabled ? choice.label : choice.reason,
      onclick: () => (choice.enabled ? session.act(choice.action) : refuse(choice.reason)),
    }, words);
  }

  function refuse(message) {
    session.dispatchEvent(new CustomEvent('refused', { detail: { message } }));
  }

  function whom(anchor) {
    openMenu(anchor, {
      title: 'Do to',
      groups: [session.info.members.map((name) => ({ label: name, checked: name === member, run: () => selection.choose(`member/${name}`, 'list') }))],
    });
  }

  /** The menu with everything, beside the row or beside the member on the board. */
  function all(anchor, name = member) {
    const { info, scope } = session;
    if (!info || !scope.bridge) return;
    const target = name && info.members.includes(name) ? `member/${name}` : '';
    const list = offers(scope.bridge, target ? name : '');
    const entry = (p) => ({ label: p.label, reason: p.enabled ? undefined : p.reason, run: () => session.act(p.action) });
    const group = (verbs) => verbs.flatMap((v) => list.filter((p) => verb(p) === v)).map(entry);
    const known = [
      ['heartbeat', 'join', 'commit', 'fetch-offsets'],
      ['lose-request', 'lose-response', 'delay', 'duplicate', 'disconnect', 'partition'],
      ['pause', 'members', 'fail-callback', 'crash', 'restart', 'leave'],
      ['fail-over', 'broker-error'],
      ['topics'],
      ['resolve', 'describe', 'cleanup', 'delete-group'],
    ];
    const rest = list.filter((p) => ![...known.flat(), 'run'].includes(verb(p))).map(entry);
    openMenu(anchor, {
      title: target ? `Member ${name}` : 'The group',
      groups: [...known.map(group), [...waits.map((w) => ({ label: w.label, run: () => live(session, w.action) })), ...rest]],
      wide: true,
    });
  }

  const redraw = gathered(draw);
  session.addEventListener('info', redraw);
  session.addEventListener('position', redraw);
  selection.addEventListener('change', () => {
    if (!selection.member || selection.member === member) return;
    member = selection.member;
    draw();
  });
  new ResizeObserver(() => fit(row)).observe(row);
  return { all, draw, member: () => member };
}

/** The key of the action's step in a scenario file. */
function verb(possible) {
  return /^\{?\s*([\w-]+)/.exec(possible.action)?.[1] ?? '';
}

/** What can be done to a member, and to the group. @returns {Possible[]} */
function offers(bridge, member) {
  return [...(member ? bridge.possible(`member/${member}`) : []), ...bridge.possible('group')];
}

/** Leaves out what does not fit, the least needed first; the menu at the end has it all. */
function fit(row) {
  const buttons = [...row.querySelectorAll('[data-drop]')];
  for (const b of buttons) b.hidden = false;
  const rules = [...row.querySelectorAll('i')];
  for (const rule of rules) rule.hidden = false;
  if (getComputedStyle(row).flexWrap === 'wrap') return;
  buttons.sort((a, b) => a.dataset.drop - b.dataset.drop);
  for (const b of buttons) {
    if (row.scrollWidth <= row.clientWidth) break;
    b.hidden = true;
    tidy(rules);
  }
}

/** A rule stands only between two things that are shown. */
function tidy(rules) {
  for (const rule of rules) {
    let next = rule.nextElementSibling;
    while (next?.hidden) next = next.nextElementSibling;
    rule.hidden = !next || next.tagName === 'I';
  }
}
