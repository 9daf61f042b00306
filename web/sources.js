// Where a scenario's text comes from: the gallery, a URL, or the link itself.

import { unpack } from './packing.js';

/** @typedef {import('./address.js').Place} Place */

/** Nothing larger than this is read: it is the program's own limit. */
const fileLimit = 1024 * 1024;

/** A file that could not be fetched or read, in a sentence for the reader. */
export class OpenError extends Error {}

/**
 * Fetches or unpacks what a place names.
 *
 * @param {Place} place
 * @param {AbortSignal} signal
 * @returns {Promise<{name: string, text: string}>}
 */
export async function read(place, signal) {
  if (place.file) {
    return { name: place.name ?? 'shared.yaml', text: await unpack(place.file) };
  }
  if (place.local) {
    throw new OpenError(`The link names ${place.local}, a file that was too large to travel inside a link. Ask for the file, then open it here.`);
  }
  if (place.src) {
    const url = address(place.src);
    return { name: url.pathname.split('/').pop() || 'scenario.yaml', text: await download(url.href, place.src, signal) };
  }
  const name = `${place.scenario}.yaml`;
  const url = new URL(`scenarios/${encodeURIComponent(place.scenario)}.yaml`, document.baseURI).href;
  const text = await early(url, signal) ?? await download(url, `the scenario ${place.scenario}`, signal);
  return { name, text };
}

/** What the page's first script has fetched, once; null if it has not, or could not. */
async function early(url, signal) {
  const { texts } = window.groupscopeFirst ?? {};
  const coming = texts?.get(url);
  texts?.delete(url);
  if (!coming) return null;
  const stopped = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
  return Promise.race([coming.catch(() => null), stopped]);
}

/** @param {string} src */
function address(src) {
  let url;
  try {
    url = new URL(src, document.baseURI);
  } catch {
    throw new OpenError(`${src} is not a URL.`);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new OpenError(`${src} cannot be opened: only http and https can.`);
  return url;
}

async function download(url, what, signal) {
  let response, bytes;
  try {
    response = await fetch(url, { signal });
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch {
    signal.throwIfAborted();
    throw new OpenError(`${sentence(what)} could not be fetched. The server did not answer, or does not let other pages read it (CORS).`);
  }
  if (response.status === 404) throw new OpenError(`There is no ${what.replace(/^the /, '')} (404, not found).`);
  if (!response.ok) throw new OpenError(`${sentence(what)} could not be fetched: the server answered ${response.status} ${response.statusText}.`);
  limit(what, bytes.length);
  return decode(what, bytes);
}

/**
 * @param {string} what  the file, as a sentence may name it
 * @param {number} size  in bytes
 * @throws {OpenError} when it is too large for a scenario
 */
export function limit(what, size) {
  if (size > fileLimit) throw new OpenError(`${sentence(what)} has ${size.toLocaleString('en')} bytes. A scenario has at most 1 MiB, ${fileLimit.toLocaleString('en')} bytes.`);
}

/**
 * @param {string} what  the file, as a sentence may name it
 * @param {Uint8Array} bytes
 * @returns {string}
 * @throws {OpenError} when it is no text
 */
export function decode(what, bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new OpenError(`${sentence(what)} is not a text in UTF-8, so it is no scenario file.`);
  }
}

/** @param {string} what  at the beginning of a sentence; a name stays as it is */
function sentence(what) {
  return what.replace(/^the /, 'The ');
}
