// What was done by hand on the branch on screen: each act is a line of a scenario.

import { el } from './dom.js';
import { copyText, saveText } from './export.js';

/**
 * @param {import('./session.js').Session} session
 * @returns {Node[]}
 */
export function whatYouDid(session) {
  const acts = session.acts();
  const { info } = session;
  if (!info || acts.length === 0) {
    return [el('p.soft', {}, 'Nothing yet. What you do by hand opens a branch and is written down here, as steps of a scenario.')];
  }
  const lines = acts.map((a) => `  - ${a.action}`).join('\n');
  const branch = info.branches.find((b) => b.id === info.branch);
  const status = el('span.soft', { role: 'status' });
  return [
    el('pre.did', { tabindex: 0 }, lines),
    el('div.acts', {},
      el('button.btn.primary', { onclick: async () => { status.textContent = await copyText(`${lines}\n`) ? 'Copied' : 'Not copied: the browser forbids it'; } }, 'Copy'),
      el('button.btn', { onclick: () => saveText(session.fileName(), session.text()) }, 'Save as a scenario'),
      status),
    el('p.soft', {}, `${acts.length === 1 ? '1 action' : `${acts.length} actions`} since ${acts[0].label}, on the branch `, el('b', {}, branch?.name ?? info.branch), '.'),
  ];
}
