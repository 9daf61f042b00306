// Files of the reader's: picked, dropped or pasted.

import { byId } from './dom.js';

/**
 * @param {import('./session.js').Session} session
 */
export function files(session) {
  const picker = byId('file');
  const veil = byId('drop');
  let depth = 0;

  picker.addEventListener('change', () => {
    const [file] = picker.files;
    if (file) session.openFile(file);
    picker.value = '';
  });
  byId('open-file').addEventListener('click', () => picker.click());

  addEventListener('dragenter', (e) => {
    if (!carries(e)) return;
    e.preventDefault();
    depth++;
    veil.hidden = false;
  });
  addEventListener('dragover', (e) => {
    if (carries(e)) e.preventDefault();
  });
  addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1);
    veil.hidden = depth === 0;
  });
  addEventListener('drop', (e) => {
    depth = 0;
    veil.hidden = true;
    if (!carries(e)) return;
    e.preventDefault();
    take(session, e.dataTransfer, 'dropped.yaml');
  });
  addEventListener('paste', (e) => {
    if (writes(e.target)) return;
    if (take(session, e.clipboardData, 'pasted.yaml')) e.preventDefault();
  });
  return { pick: () => picker.click() };
}

/** What we would open; other things are left to the browser, such as text dragged into the editor. */
function carries(e) {
  const types = e.dataTransfer?.types ?? [];
  return types.includes('Files') || (!writes(e.target) && types.includes('text/plain'));
}

/** Whether an element takes text itself. */
function writes(target) {
  return target instanceof Element && Boolean(target.closest('textarea, input, [contenteditable]'));
}

/** @param {DataTransfer} data */
function take(session, data, name) {
  const [file] = data.files;
  if (file) {
    session.openFile(file);
    return true;
  }
  const text = data.getData('text/plain');
  if (!text.trim()) return false;
  if (/^https?:\/\/\S+$/.test(text.trim())) session.open({ src: text.trim() });
  else session.openText(name, text);
  return true;
}
