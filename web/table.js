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
    el('p', {}, group ? `The group is ${group.state}, at epoch ${group.epoch}. The target is for epoch ${group['target-epoch']}.${streamsGroup(group)}` : 'There is no group yet.'),
    el('table', {},
      el('caption.visually-hidden', {}, `Members and their ${streams(snap) ? 'tasks' : 'partitions'} at ${snap.step || 'this step'}`),
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
    ...inRoles(m.standby, m.warmup),
    ...inRoles(m['revokes-standby'], m['revokes-warmup']).map((words) => `closes ${words}`),
  ].filter(Boolean).join('; ');
  const target = [list(m.target), ...inRoles(m['target-standby'], m['target-warmup'])].filter(Boolean).join('; ');
  const more = [m.state && stateWord(m.state), m.process && `process ${m.process}`, m['topology-epoch'] !== undefined && `topology epoch ${m['topology-epoch']}`, ...(m.client?.status ?? [])];
  return el('tr', {},
    el('th', { scope: 'row' }, el('button.link', { onclick: () => choose(`member/${name}`) }, name)),
    el('td', {}, absent ? '–' : pill(m.epoch)),
    el('td', {}, sentence(held || 'nothing'), el('small', {}, more.filter(Boolean).join(', '))),
    el('td', {}, sentence(target || 'nothing')));
}

function nobody(unowned) {
  if (!unowned.length) return null;
  return el('tr', {}, el('th', { scope: 'row' }, 'nobody'), el('td', {}, '–'), el('td', {}, sentence(list(unowned))), el('td', {}, ''));
}

const list = (partitions) => (partitions ?? []).join(', ');

/** Tasks that are not active, by their roles. */
const inRoles = (standby, warmup) => [standby?.length && `standby ${list(standby)}`, warmup?.length && `warm-up ${list(warmup)}`].filter(Boolean);

const streams = (snap) => snap.group?.['topology-epoch'] !== undefined || Object.values(snap.members ?? {}).some((m) => m.client?.standby);

/** What a streams group's header says beyond that of a consumer group. */
function streamsGroup(group) {
  if (group['topology-epoch'] === undefined) return '';
  const status = group.status.length ? ` Status: ${group.status.join(', ')}.` : '';
  return ` The topology is of epoch ${group['topology-epoch']}, the endpoints of epoch ${group['endpoint-epoch']}.${status}`;
}
