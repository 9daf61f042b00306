// Fetching and compiling the program: once per page and URL, however many
// boards there are, with progress in bytes.

/**
 * @typedef {object} Progress
 * @property {number} loaded  bytes so far, as they travel
 * @property {number} total   bytes in all; 0 when the server does not say
 */

/** The program of this site. */
export const wasm = new URL('groupscope.wasm', import.meta.url).href;

/** How the sentences about it begin. */
const WHAT = 'The player';

/** @type {Map<string, Download>} */
const downloads = new Map();

/**
 * The compiled program. Every caller shares one download; it is given up when
 * the last caller aborts, and begun anew by the next.
 * @param {string} url  of the .wasm file; `<url>.gz` and `build.json` lie beside it
 * @param {{onprogress?: (p: Progress) => void, signal?: AbortSignal}} [options]
 * @returns {Promise<WebAssembly.Module>}
 */
export function program(url, {onprogress, signal} = {}) {
  return download(url).join(onprogress, signal);
}

/** Begins the download, for a page that will want the program soon. @param {string} url */
export function prefetch(url) {
  download(url);
}

function download(url) {
  let begun = downloads.get(url);
  if (!begun) {
    begun = new Download(url);
    downloads.set(url, begun);
    begun.module.catch(() => downloads.delete(url));
  }
  return begun;
}

class Download {
  #abort = new AbortController();
  #listeners = new Set();
  #waiting = 0;
  #last = {loaded: 0, total: 0};

  constructor(url) {
    /** @type {Promise<WebAssembly.Module>} */
    this.module = this.#load(url);
  }

  join(onprogress, signal) {
    if (onprogress) { this.#listeners.add(onprogress); onprogress(this.#last); }
    this.#waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#listeners.delete(onprogress);
        if (--this.#waiting === 0) this.#abort.abort();
        reject(signal.reason);
      };
      if (signal?.aborted) return leave();
      signal?.addEventListener('abort', leave, {once: true});
      const done = settle => value => {
        signal?.removeEventListener('abort', leave);
        this.#listeners.delete(onprogress);
        settle(value);
      };
      this.module.then(done(resolve), done(reject));
    });
  }

  async #load(url) {
    const {signal} = this.#abort;
    const {response, total, unpack} = await choose(url, signal);
    let loaded = 0;
    const count = new TransformStream({
      transform: (chunk, out) => {
        loaded += chunk.byteLength;
        this.#report({loaded: Math.min(loaded, total || loaded), total});
        out.enqueue(chunk);
      },
    });
    let body = response.body.pipeThrough(count, {signal});
    if (unpack) body = body.pipeThrough(new DecompressionStream('gzip'));
    try {
      return await WebAssembly.compileStreaming(new Response(body, {headers: {'content-type': 'application/wasm'}}));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WebAssembly.CompileError) throw new Error(`${WHAT} came damaged: ${error.message}`);
      throw new Error(`${WHAT} did not come whole: the connection broke after ${(loaded / 1e6).toFixed(1)} MB.`);
    }
  }

  #report(progress) {
    this.#last = progress;
    for (const listener of this.#listeners) listener(progress);
  }
}

/**
 * Chooses what to fetch. A server that compresses the file on its way gets to
 * send it as it is; a plain file server is asked for the .gz instead, which is
 * unpacked here. `build.json` says how long the whole file is: a response of
 * just that length was not compressed. Without that file the program is taken
 * as it comes.
 */
async function choose(url, signal) {
  const plain = new AbortController();
  const [whole, response] = await Promise.all([
    size(new URL('build.json', url), signal),
    get(url, AbortSignal.any([signal, plain.signal])),
  ]);
  const length = Number(response.headers.get('content-length') ?? 0);
  const compressed = response.headers.has('content-encoding') || (length > 0 && length !== whole);
  if (compressed || !whole || typeof DecompressionStream === 'undefined') {
    // The stream counts bytes as they are unpacked, hence the whole length.
    return {response, total: whole || length, unpack: false};
  }
  if (!length) return {response, total: whole, unpack: false};
  plain.abort();
  const packed = await get(`${url}.gz`, signal);
  // A server that labels .gz files as an encoding has the browser unpack them.
  const unpacked = packed.headers.has('content-encoding');
  return {response: packed, total: unpacked ? whole : Number(packed.headers.get('content-length') ?? 0), unpack: !unpacked};
}

async function size(url, signal) {
  try {
    const response = await fetch(url, {signal});
    return response.ok ? Number((await response.json()).bytes) || 0 : 0;
  } catch {
    signal.throwIfAborted();
    return 0;
  }
}

async function get(url, signal) {
  let response;
  try {
    response = await fetch(url, {signal});
  } catch {
    signal.throwIfAborted();
    throw new Error(`${WHAT} could not be fetched: the server does not answer.`);
  }
  if (!response.ok) throw new Error(`${WHAT} could not be fetched: the server answered ${response.status} for ${url.split('/').pop()}.`);
  return response;
}
