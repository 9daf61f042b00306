// Files of the reader's: picked, dropped or pasted.

import { format, parse } from './address.js';
import { byId } from './dom.js';

/**
 * @param {import('./session.js').Session} session
 */
export function files(session) {
  const picker = byId('file');
  const veil = byId('drop');
  let depth = 0;
  /** Whether what is dragged was on this page before: then it is no file, and the browser's own. */
  let ours = false;

  /** What we would open; other things are left to the browser, such as text dragged into the editor. */
  function carries(e) {
    if (ours) return false;
    const types = e.dataTransfer?.types ?? [];
    return types.includes('Files') || (!writes(e.target) && types.includes('text/plain'));
  }

  picker.addEventListener('change', () => {
    const [file] = picker.files;
    if (file) session.openFile(file);
    picker.value = '';
  });
  byId('open-file').addEventListener('click', () => picker.click());

  addEventListener('dragstart', () => { ours = true; });
  addEventListener('dragend', () => { ours = false; });
  addEventListener('dragenter', (e) => {
    if (!carries(e)) return;
    e.preventDefault();
    depth++;
    veil.hidden = false;
  });
  addEventListener('dragover', (e) => {
    if (carries(e)) e.preventDefault();
  });
  addEventListener('dragleave', (e) => {
    if (!carries(e)) return;
    depth = Math.max(0, depth - 1);
    veil.hidden = depth === 0;
  });
  addEventListener('drop', (e) => {
    depth = 0;
    veil.hidden = true;
    const wanted = carries(e);
    ours = false;
    if (!wanted) return;
    e.preventDefault();
    take(session, e.dataTransfer, 'dropped.yaml');
  });
  addEventListener('paste', (e) => {
    if (writes(e.target)) return;
    if (take(session, e.clipboardData, 'pasted.yaml')) e.preventDefault();
  });
  return { pick: () => picker.click() };
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
  if (/^https?:\/\/\S+$/.test(text.trim())) follow(session, text.trim());
  else session.openText(name, text);
  return true;
}

/** Goes where a link to this page goes; another URL is that of a file. @param {string} text */
function follow(session, text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && page(url) === page(location)) location.hash = format(parse(url));
  else session.open({ src: text });
}

/** @param {URL|Location} url */
const page = (url) => url.origin + url.pathname.replace(/index\.html$/, '');
