// What the attributes name, on its way: fetched, then opened. When they change
// meanwhile, what they name by then is opened instead.

import { nameOf, source } from './stills.js';

/** What an element's attributes name, null for nothing. @param {HTMLElement} host */
export function placeOf(host) {
  const scenario = host.getAttribute('scenario'), src = host.getAttribute('src');
  return scenario || src ? {scenario, src: scenario ? null : src} : null;
}

/** How long a server may take before it is named, in ms. */
const PATIENCE = 600;

export class Opening {
  #on;
  #wish = 0;         // counts what the attributes have named
  #running = null;
  #fetching = null;  // stops the download

  /**
   * @param {object} on
   * @param {() => {scenario: string|null, src: string|null}|null} on.place  what the attributes name
   * @param {() => object|null} on.opened  what is open
   * @param {(name: string) => void} on.slow  that file takes its time
   * @param {(file: {name: string, bytes: Uint8Array}) => Promise} on.open
   * @param {(error: Error, name: string) => void} on.failed
   */
  constructor(on) { this.#on = on; }

  /** The attributes name something else. */
  changed() {
    this.#wish++;
    this.#fetching?.abort();
  }

  /** @returns {boolean} whether there was a download to stop */
  cancel() {
    const {signal} = this.#fetching ?? {};
    this.#fetching?.abort();
    return Boolean(signal);
  }

  /** Resolves once what the attributes name is open. Callers share one opening. */
  run() {
    return this.#running ??= this.#run().finally(() => { this.#running = null; });
  }

  async #run() {
    for (;;) {
      const wish = this.#wish;
      const place = this.#on.place();
      if (!place) throw new Error('There is nothing to open: give the element a scenario or a src.');
      const got = {name: ''};
      try {
        await this.#open(place, wish, got);
        if (wish === this.#wish) return;
      } catch (error) {
        if (wish !== this.#wish) continue;
        if (error.name !== 'AbortError') this.#on.failed(error, got.name);
        throw error;
      }
    }
  }

  async #open(place, wish, got) {
    const before = this.#on.opened();
    const file = await this.#fetch(place);
    if (wish !== this.#wish || this.#on.opened() !== before) return; // the page opened something else itself
    got.name = file.name;
    await this.#on.open(file);
  }

  async #fetch(place) {
    const {signal} = this.#fetching = new AbortController();
    const slow = setTimeout(() => this.#on.slow(nameOf(place)), PATIENCE);
    try {
      return await source(place, signal);
    } finally {
      clearTimeout(slow);
      this.#fetching = null;
    }
  }
}
