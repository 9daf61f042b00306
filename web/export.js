// Files and clipboard: the step as a picture, the scenario as a file.

import { openMenu } from './menu.js';

/**
 * Hands a file to the reader.
 *
 * @param {string} name
 * @param {Blob} blob
 */
export function saveBlob(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The download has begun by the next task; the browser keeps what it reads.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** @param {string} name @param {string} text */
export function saveText(name, text) {
  saveBlob(name, new Blob([text], { type: 'application/yaml' }));
}

/**
 * @param {string} text
 * @returns {Promise<boolean>} false where the browser does not let us
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The older way, for pages without a secure origin. */
function copyBySelection(text) {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  let done = false;
  try {
    done = document.execCommand('copy');
  } catch { /* then it is not possible at all */ }
  field.remove();
  before?.focus?.();
  return done;
}

/**
 * The Export menu.
 *
 * @param {Element} anchor
 * @param {import('./session.js').Session} session
 */
export function exportMenu(anchor, session) {
  const { bridge } = session.scope;
  const stem = `${session.fileName().replace(/\.yaml$/, '')}-${session.position?.label ?? 'step'}`;
  const none = bridge ? undefined : 'Not now: the player is not loaded.';
  openMenu(anchor, {
    title: 'Export',
    groups: [[
      { label: 'This step as SVG', reason: none, run: () => saveBlob(`${stem}.svg`, svgBlob(bridge)) },
      { label: 'This step as PNG', reason: none, run: async () => saveBlob(`${stem}.png`, await png(bridge)) },
    ], [
      { label: 'The scenario as YAML', run: () => saveText(session.fileName(), session.text()) },
    ]],
  });
}

function svgBlob(bridge) {
  return new Blob([bridge.svg({ standalone: true, theme: themeInForce() })], { type: 'image/svg+xml' });
}

/** Twice the size of the SVG: sharp on a slide. */
async function png(bridge) {
  const url = URL.createObjectURL(svgBlob(bridge));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, 'image/png'));
  } finally {
    URL.revokeObjectURL(url);
  }
}

function themeInForce() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen) return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
