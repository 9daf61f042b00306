// The board as a table, for readers who do not see it.

import { el } from '../dom.js';

/**
 * @param {object} snapshot  what is on screen, with the keys of `expect`
 * @returns {Node[]}
 */
export function equivalent(snapshot) {
  const {group, members = {}, unowned = [], violations = []} = snapshot;
  const streams = group?.['topology-epoch'] !== undefined || Object.values(members).some(m => m.client?.standby);
  const rows = Object.entries(members).map(([name, m]) => el('tr', {},
    el('th', {scope: 'row'}, name),
    el('td', {}, m.epoch ?? 'none'),
    el('td', {}, m.state || 'not in the group'),
    el('td', {}, list(m.owns)),
    el('td', {}, list(m.revokes)),
    el('td', {}, list(m.waits)),
    el('td', {}, list(m.free)),
    el('td', {}, list(m.target)),
    ...(streams ? streamsCells(m) : [])));
  const heads = ['Member', 'Epoch', 'State', 'Owns', 'Gives up', 'Waits for', 'May take', 'Target', ...(streams ? streamsHeads : [])];
  return [
    el('p', {}, group ? `The group is ${group.state}, at epoch ${group.epoch}; its target is for epoch ${group['target-epoch']}.${streamsGroup(group)}` : 'There is no group yet.'),
    el('table', {},
      el('caption', {}, `Members and ${streams ? 'tasks' : 'partitions'} at ${snapshot.step || 'this step'}`),
      el('thead', {}, el('tr', {}, heads.map(h => el('th', {scope: 'col'}, h)))),
      el('tbody', {}, rows)),
    el('p', {}, unowned.length ? `Nobody owns ${unowned.map(words).join(', ')}.` : streams ? 'No task is without an owner.' : 'Every subscribed partition has an owner.'),
    ...violations.map(v => el('p', {}, words(v))),
  ];
}

const list = partitions => partitions?.join(', ') || 'nothing';
const words = v => typeof v === 'string' ? v : v.text ?? v.partition ?? JSON.stringify(v);

// What a streams group's table has beyond a consumer group's, whose columns
// are its active tasks.
const streamsHeads = ['Standby', 'Warm-up', 'Closes', 'Target, standby', 'Target, warm-up', 'Process', 'Topology epoch', 'Status'];

const streamsCells = m => [
  list(m.standby), list(m.warmup), list([...(m['revokes-standby'] ?? []), ...(m['revokes-warmup'] ?? [])]),
  list(m['target-standby']), list(m['target-warmup']), m.process || 'none', m['topology-epoch'] ?? 'none',
  m.client?.status?.join(', ') || 'none',
].map(text => el('td', {}, text));

function streamsGroup(group) {
  if (group['topology-epoch'] === undefined) return '';
  const status = group.status.length ? ` Status: ${group.status.join(', ')}.` : '';
  return ` The topology is of epoch ${group['topology-epoch']}, the endpoints of epoch ${group['endpoint-epoch']}.${status}`;
}
