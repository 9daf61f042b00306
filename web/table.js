// The text equivalent of the board: who holds what, as a table.

import { el, pill, sentence, stateWord } from './dom.js';

/**
 * @param {any} snap  what is on screen, in the keys of `expect`
 * @param {(id: string) => void} choose
 * @returns {Node[]}
 */
export function stateTable(snap, choose) {
  const members = Object.entries(snap.members ?? {});
  const head = ['Member', 'Epoch', 'Holds', 'Target'];
  const group = snap.group;
  return [
    el('p', {}, group ? `The group is ${group.state}, at epoch ${group.epoch}. The target is for epoch ${group['target-epoch']}.` : 'There is no group yet.'),
    el('table', {},
      el('caption.visually-hidden', {}, `Members and their partitions at ${snap.step || 'this step'}`),
      el('thead', {}, el('tr', {}, head.map((h) => el('th', { scope: 'col' }, h)))),
      el('tbody', {}, members.map(([name, m]) => line(name, m, choose)), nobody(snap.unowned ?? []))),
    (snap.violations ?? []).map((v) => el('p.alertbox', {}, `Broken: ${v}`)),
  ];
}

function line(name, m, choose) {
  const absent = m.epoch === undefined;
  const held = [
    list(m.owns),
    m.revokes?.length && `gives up ${list(m.revokes)}`,
    m.waits?.length && `waits for ${list(m.waits)}`,
    m.free?.length && `may take ${list(m.free)}`,
  ].filter(Boolean).join('; ');
  return el('tr', {},
    el('th', { scope: 'row' }, el('button.link', { onclick: () => choose(`member/${name}`) }, name)),
    el('td', {}, absent ? '–' : pill(m.epoch)),
    el('td', {}, sentence(held || 'nothing'), m.state && el('small', {}, stateWord(m.state))),
    el('td', {}, sentence(list(m.target) || 'nothing')));
}

function nobody(unowned) {
  if (!unowned.length) return null;
  return el('tr', {}, el('th', { scope: 'row' }, 'nobody'), el('td', {}, '–'), el('td', {}, sentence(list(unowned))), el('td', {}, ''));
}

const list = (partitions) => (partitions ?? []).join(', ');
