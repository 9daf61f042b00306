// The keys. One table: what they do, and what the help says about them.

import { el } from './dom.js';
import { looks } from './element/stills.js';

/**
 * A line of the help: what stands on the keys, what they do, and the action of each.
 *
 * @typedef {{group: string, caps: string[], words: string, runs: Record<string, () => void>}} Key
 */

/**
 * Listens for keys, unless somebody is writing, a dialog is open, or the
 * element under the focus wants the key itself.
 *
 * @param {Key[]} table
 */
export function listen(table) {
  const runs = new Map();
  for (const key of table) for (const [name, run] of Object.entries(key.runs)) runs.set(name, run);
  document.addEventListener('keydown', (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey) return;
    const run = runs.get(e.key === ' ' ? 'Space' : e.key);
    if (!run || wanted(e)) return;
    e.preventDefault();
    run();
  });
}

/** Whether the element under the focus uses the key itself. */
function wanted(e) {
  if (document.querySelector('dialog[open]') || document.querySelector('.menu:popover-open')) return true;
  const target = e.composedPath()[0];
  if (!(target instanceof Element)) return false;
  if (target.closest('textarea, input, select, [contenteditable]')) return true;
  // A link does nothing with Space: it plays, even right after a scenario was chosen.
  if (e.key === ' ' && target.closest('button, summary, [role=button]')) return true;
  if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(e.key) && target.closest('[role=slider], [role=radiogroup], [role=tablist], [role=listbox], [role=menu]')) return true;
  // A panel that scrolls keeps the keys that turn its pages.
  return ['PageUp', 'PageDown'].includes(e.key) && Boolean(target.closest('.panel, .gal-list, .diag'));
}

const columns = [['Play', 'Boards'], ['By hand', 'Page']];

/**
 * The help: the same table, over the page.
 *
 * @param {Key[]} table
 * @param {{label: string, run: () => void}} also  what else is offered
 * @param {boolean} streams  whose looks are explained
 */
export function help(table, also, streams) {
  const close = el('button.btn.primary', { onclick: () => dialog.close() }, 'Close');
  const dialog = el('dialog.sheet.help', { 'aria-labelledby': 'help-title' },
    el('div.help-head', {}, el('h2', { id: 'help-title' }, 'Keys'), el('span.soft', {}, 'They work anywhere on this page but in a text. An embed never takes a key it was not given.')),
    el('div.keysg', {}, columns.map((groups) => el('div', {}, groups.map((group) => section(group, table))))),
    el('h2', {}, 'What it looks like'),
    looks(streams, Math.min(776, innerWidth - 24) - 51),
    el('div.acts', {}, close, el('button.btn', { onclick: () => { dialog.close(); also.run(); } }, also.label)));
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (e) => { if (e.target === dialog) dialog.close(); });
  dialog.addEventListener('keydown', (e) => {
    if (e.key !== '?') return;
    e.preventDefault();
    e.stopPropagation();
    dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  close.focus({ preventScroll: true });
  dialog.scrollTop = 0;
}

function section(group, table) {
  const lines = table.filter((k) => k.group === group);
  if (!lines.length) return null;
  return [el('h3', {}, group), el('ul', {}, lines.map((k) => el('li', {},
    el('span.ks', {}, k.caps.map((cap) => el('kbd', {}, cap))), el('span', {}, k.words))))];
}
