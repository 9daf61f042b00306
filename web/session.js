// What is open: where it came from, its text, and what was done to it by hand.
// Every part of the page changes the scenario through here and hears of it from here.

import { BridgeError } from './bridge.js';
import { decode, fileLimit, OpenError, read } from './sources.js';

/**
 * @typedef {import('./bridge.js').Info} Info
 * @typedef {import('./bridge.js').Position} Position
 * @typedef {import('./address.js').Place} Place
 *
 * A file: where it came from, its name with the ending, and its text.
 * @typedef {{place: Place, name: string, text: string}} Opened
 *
 * Something done by hand: the stop it was done at and its line of YAML.
 * @typedef {{stop: number, action: string}} Act
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
  /** @type {Map<string, Act[]>} by the branch's id */
  #acts = new Map();
  /** What acts would be saved as, made after each: the program may be gone when it is needed. */
  #saved = '';
  /** Counts openings, so that a slow download cannot push away a later choice. */
  #turn = 0;
  /** Whether an opening is ours, not one of the element's own. */
  #mine = false;

  /** @param {any} scope  the <group-scope> */
  constructor(scope) {
    super();
    this.scope = scope;
    scope.addEventListener('ready', () => this.#again());
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
    const turn = ++this.#turn;
    try {
      const { name, text } = await read(place);
      if (turn !== this.#turn) return false;
      return await this.openText(name, text, { place, rules: place.rules, step: place.step });
    } catch (err) {
      if (turn === this.#turn) this.#fail(err);
      return false;
    }
  }

  /**
   * Opens a file of the reader's.
   *
   * @param {File} file
   */
  async openFile(file) {
    const turn = ++this.#turn;
    try {
      if (file.size > fileLimit) throw new OpenError(`${file.name} has ${Math.ceil(file.size / 1024 / 1024)} MB. A scenario has at most 4 MB.`);
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
    this.#turn++;
    this.#mine = true;
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
    } finally {
      this.#mine = false;
    }
    this.#acts.clear();
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
    if (stop.index !== info.position.stop) await this.scope.seek(stop.index);
    return true;
  }

  /** @param {number} stop  index */
  go(stop) {
    return this.scope.seek(stop);
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
    const before = this.info;
    const stop = this.position?.stop ?? 0;
    let info;
    try {
      info = await this.scope.call('do', { action });
    } catch (err) {
      this.#fail(err);
      return false;
    }
    this.#saved = this.#save();
    const inherited = this.acts(before.branch).filter((a) => a.stop < stop || (info.branch === before.branch && a.stop <= stop));
    this.#acts.set(info.branch, [...inherited, { stop, action }]);
    this.#inform(info);
    return true;
  }

  /** What was done by hand on a branch, in order. @returns {Act[]} */
  acts(branch = this.info?.branch ?? 'main') {
    return this.#acts.get(branch) ?? [];
  }

  /** Calls what changes the picture, and says so where it is refused. */
  async call(method, args) {
    try {
      const result = await this.scope.call(method, args);
      if (result?.stops) this.#inform(result);
      return result;
    } catch (err) {
      this.#fail(err);
      return null;
    }
  }

  /** The text of what is on screen: the file itself, or with what was done by hand. */
  text() {
    const main = this.info?.branch === 'main' && this.acts('main').length === 0;
    return main || !this.scope.bridge ? this.opened?.text ?? '' : this.scope.bridge.save();
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

  /** The element booted anew by itself: a branch that was on screen is then a file of its own. */
  #again() {
    if (this.#mine || !this.opened) return;
    if (this.acts().length) this.opened = { place: {}, name: this.opened.name, text: this.#saved };
    this.#acts.clear();
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
    if (err instanceof BridgeError && err.kind === 'refused') this.#say('refused', { message: err.message });
    else if (err instanceof BridgeError && err.kind === 'broken') this.#say('broken', { error: err });
    else this.#say('failed', { message: err.message });
  }

  #say(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
