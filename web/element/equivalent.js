// The board as a table, for readers who do not see it.

import { el } from '../dom.js';

/**
 * @param {object} snapshot  what is on screen, with the keys of `expect`
 * @returns {Node[]}
 */
export function equivalent(snapshot) {
  const {group, members = {}, unowned = [], violations = []} = snapshot;
  const rows = Object.entries(members).map(([name, m]) => el('tr', {},
    el('th', {scope: 'row'}, name),
    el('td', {}, m.epoch ?? 'none'),
    el('td', {}, m.state || 'not in the group'),
    el('td', {}, list(m.owns)),
    el('td', {}, list(m.revokes)),
    el('td', {}, list(m.waits)),
    el('td', {}, list(m.free)),
    el('td', {}, list(m.target))));
  const heads = ['Member', 'Epoch', 'State', 'Owns', 'Gives up', 'Waits for', 'May take', 'Target'];
  return [
    el('p', {}, group ? `The group is ${group.state}, at epoch ${group.epoch}; its target is for epoch ${group['target-epoch']}.` : 'There is no group yet.'),
    el('table', {},
      el('caption', {}, `Members and partitions at ${snapshot.step || 'this step'}`),
      el('thead', {}, el('tr', {}, heads.map(h => el('th', {scope: 'col'}, h)))),
      el('tbody', {}, rows)),
    el('p', {}, unowned.length ? `Nobody owns ${unowned.map(words).join(', ')}.` : 'Every subscribed partition has an owner.'),
    ...violations.map(v => el('p', {}, words(v))),
  ];
}

const list = partitions => partitions?.join(', ') || 'nothing';
const words = v => typeof v === 'string' ? v : v.text ?? v.partition ?? JSON.stringify(v);
