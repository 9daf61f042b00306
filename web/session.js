// What is open: where it came from, its text, and what was done to it by hand.
// Every part of the page changes the scenario through here and hears of it from here.

import { BridgeError } from './bridge.js';
import { decode, limit, read } from './sources.js';

/** How long a server may take before it is named, in ms. */
const patience = 600;

/**
 * @typedef {import('./bridge.js').Info} Info
 * @typedef {import('./bridge.js').Position} Position
 * @typedef {import('./bridge.js').Act} Act
 * @typedef {import('./address.js').Place} Place
 *
 * A file: where it came from, its name with the ending, and its text.
 * @typedef {{place: Place, name: string, text: string}} Opened
 */

/**
 * Events, each a CustomEvent:
 *
 * - `opened`    {opened}         another scenario is on screen
 * - `info`      {info}           its stops, branches or rules changed
 * - `position`  {position}       another stop, or playing began or ended
 * - `gone`      {step}           the place asked for a step that is not there; it opened at the start
 * - `mistakes`  {name, text, diagnostics}  a file was refused; what was open still is
 * - `failed`    {message}        a file could not be read; what was open still is
 * - `fetching`  {what, stop}   a server takes its time; what is '' once it is over
 * - `broken`    {error}          the program stopped
 * - `refused`   {message}        an action is not possible now
 */
export class Session extends EventTarget {
  /** @type {Opened|null} */
  opened = null;
  /** @type {Info|null} */
  info = null;
  /** @type {Position|null} */
  position = null;
  /** What was done by hand on the branch on screen, as the program says. @type {Act[]} */
  #acts = [];
  /** What that is as a file, '' without acts: taken at once, as the program may be gone when it is needed. */
  #saved = '';
  /** Counts openings, so that a slow download cannot push away a later choice. */
  #turn = 0;
  /** Stops the download of the latest. @type {AbortController|null} */
  #stop = null;
  /** Whether an opening is ours, not one of the element's own. */

  /** @param {any} scope  the <group-scope> */
  constructor(scope) {
    super();
    this.scope = scope;
    scope.addEventListener('state', (e) => { if (e.detail.state === 'still') this.#ended(); });
    scope.addEventListener('info', (e) => this.#inform(e.detail.info ?? e.detail));
    scope.addEventListener('position', (e) => this.#move(e.detail));
    scope.addEventListener('error', (e) => {
      if (e.detail.error?.kind !== 'broken') return;
      e.preventDefault();
      this.#say('broken', { error: e.detail.error });
    });
  }

  /**
   * Opens what a place names.
   *
   * @param {Place} place
   * @returns {Promise<boolean>} whether it is on screen now
   */
  async open(place) {
    const turn = this.#next();
    try {
      const { name, text } = await this.#read(place);
      if (turn !== this.#turn) return false;
      return await this.openText(name, text, { place, rules: place.rules, step: place.step });
    } catch (err) {
      if (turn === this.#turn) this.#fail(err);
      return false;
    }
  }

  /** A later choice: what is still being fetched for an earlier one is not wanted any more. */
  #next() {
    this.#stop?.abort();
    return ++this.#turn;
  }

  /** Fetches; a server that takes its time is named, with a way to stop. */
  async #read(place) {
    const stop = this.#stop = new AbortController();
    const what = place.src ?? place.scenario;
    let told = false;
    const slow = setTimeout(() => {
      told = true;
      this.#say('fetching', { what, stop: () => stop.abort() });
    }, patience);
    try {
      return await read(place, stop.signal);
    } finally {
      clearTimeout(slow);
      if (told) this.#say('fetching', { what: '' });
    }
  }

  /**
   * Opens a file of the reader's.
   *
   * @param {File} file
   */
  async openFile(file) {
    const turn = this.#next();
    try {
      limit(file.name, file.size);
      const text = decode(file.name, new Uint8Array(await file.arrayBuffer()));
      if (turn !== this.#turn) return false;
      return await this.openText(file.name, text);
    } catch (err) {
      if (turn === this.#turn) this.#fail(err);
      return false;
    }
  }

  /**
   * Opens a text. With mistakes in it, what was open stays.
   *
   * @param {string} name  with its ending
   * @param {string} text
   * @param {{place?: Place, rules?: string, step?: string, quiet?: boolean}} [options]
   *   quiet: mistakes are only thrown, as the editor wants it
   */
  async openText(name, text, { place = {}, rules, step, quiet = false } = {}) {
    this.#next();
    let info;
    let gone = '';
    try {
      info = await this.scope.open(name, text, { rules });
      if (step && !(await this.#find(info, step))) gone = step;
    } catch (err) {
      if (quiet) throw err;
      if (err instanceof BridgeError && err.kind === 'diagnostics') {
        this.#say('mistakes', { name, text, diagnostics: err.diagnostics });
      } else {
        this.#fail(err);
      }
      return false;
    }
    this.opened = { place, name, text };
    this.info = this.scope.info ?? info;
    this.position = this.info.position;
    this.#say('opened', { opened: this.opened });
    this.#inform(this.info);
    if (gone) this.#say('gone', { step: gone });
    return true;
  }

  /** Goes to the stop of that label, or of that index after an @. @returns {Promise<boolean>} whether there is one */
  async #find(info, label) {
    const stop = label.startsWith('@') ? info.stops[Number(label.slice(1))] ?? info.stops.at(-1)
      : info.stops.find((s) => s.step === label) ?? info.stops.find((s) => s.label === label);
    if (!stop) return false;
    if (stop.index !== info.position.stop) await this.go(stop.index);
    return true;
  }

  /**
   * Goes to a stop. One that went with the scenario or the branch it belonged to,
   * between the click and now, is no fault; what else breaks the element shows.
   *
   * @param {number} stop  index
   */
  async go(stop) {
    await this.scope.seek(stop).catch(() => {});
  }

  /** Goes to a labelled stop of the branch on screen, if there is one. */
  async goTo(label) {
    return this.info ? this.#find(this.info, label) : false;
  }

  /**
   * Acts, as one step of a file would. In the past this opens a branch.
   *
   * @param {string} action  "crash: A"
   * @returns {Promise<boolean>} false: refused, and said so
   */
  async act(action) {
    try {
      await this.scope.call('do', { action });
    } catch (err) {
      this.#fail(err);
      return false;
    }
    return true;
  }

  /** What was done by hand on the branch on screen, in order. @returns {Act[]} */
  acts() { return this.#acts; }

  /** Calls what changes the picture, and says so where it is refused. */
  async call(method, args) {
    try {
      return await this.scope.call(method, args);
    } catch (err) {
      this.#fail(err);
      return null;
    }
  }

  /** The text of what is on screen: the file itself, or with what was done by hand. */
  text() {
    return this.acts().length && this.scope.bridge ? this.scope.bridge.save() : this.lastText();
  }

  /** The text as it was last known: for when the program can no longer be asked. */
  lastText() {
    return this.acts().length ? this.#saved : this.opened?.text ?? '';
  }

  /** The branch on screen as a file; where it is more than a file may hold, the file it left. */
  #save() {
    try {
      return this.scope.bridge.save();
    } catch {
      return this.opened?.text ?? '';
    }
  }

  /** Opens what was on screen once more, after the program stopped. */
  reopen() {
    const { opened } = this;
    const handmade = this.acts().length > 0;
    const step = handmade ? `@${this.position.stop}` : this.position.label;
    return this.openText(opened.name, this.lastText(), { place: handmade ? {} : opened.place, rules: this.info?.rules, step });
  }

  /** The program is gone, and what the element opens in the next one is what was on screen: a branch is then a file of its own. */
  #ended() {
    if (!this.opened || this.acts().length === 0) return;
    this.opened = { place: {}, name: this.opened.name, text: this.#saved };
    this.#acts = [];
  }

  /** The name of a file that holds text(). */
  fileName() {
    const stem = (this.opened?.name ?? 'scenario').replace(/\.ya?ml$/i, '');
    const branch = this.info && this.info.branch !== 'main' ? this.info.branches.find((b) => b.id === this.info.branch)?.name : '';
    const tail = branch ? `-${branch.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')}` : '';
    return `${stem}${tail}.yaml`;
  }

  /** @param {Info} info */
  #inform(info) {
    this.info = info;
    this.position = info.position;
    this.#acts = this.scope.bridge?.acts() ?? [];
    this.#saved = this.#acts.length ? this.#save() : '';
    this.#say('info', { info });
    this.#say('position', { position: info.position });
  }

  /** @param {Position} position */
  #move(position) {
    this.position = position;
    if (this.info) this.info.position = position;
    this.#say('position', { position });
  }

  #fail(err) {
    if (err.name === 'AbortError') return; // somebody stopped it
    if (err instanceof BridgeError && err.kind === 'refused') this.#say('refused', { message: err.message });
    else if (err instanceof BridgeError && err.kind === 'broken') this.#say('broken', { error: err });
    else this.#say('failed', { message: err.message });
  }

  #say(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
