// When something is the matter: what is said about it, and what is kept.
// The page hears of it first, and may show it in a place of its own.

import { ErrorKinds } from '../bridge.js';
import { el } from '../dom.js';
import { quietly } from './commands.js';
import { failed, mistakes, stopped } from './panels.js';

export class Trouble {
  #scope;
  #shell;
  #say;
  /** The step asked for that is not there. */
  missing = '';
  /** The error that stopped the program. */
  broken = null;

  /**
   * @param {import('./scope.js').GroupScope} scope
   * @param {import('./shell.js').Shell} shell
   * @param {(type: string, detail: object) => boolean} say  sends an event; false when the page takes care itself
   */
  constructor(scope, shell, say) {
    this.#scope = scope;
    this.#shell = shell;
    this.#say = say;
  }

  /** The program could not be loaded. */
  unloaded(error) { this.#show(error, () => this.#retry(error)); }

  /** A file could not be opened. @param {string} name */
  unopened(error, name) {
    const refused = error.kind === ErrorKinds.diagnostics;
    this.#show(error, () => refused ? mistakes(name, error.diagnostics, {kept: this.#scope.position?.label ?? '', close: null}) : this.#retry(error));
  }

  /** The program stopped. @param {() => void} save */
  stopped(error, save) {
    this.broken = error;
    this.#show(error, () => stopped(error, {goal: this.goal() || 'the start', reload: () => quietly(this.#scope.redraw()), save}));
  }

  /** The canvas shows nothing any more. @param {"context"|"evicted"} why */
  lost(why) {
    const words = why === 'context' ? {text: 'graphics lost', title: 'Graphics context lost'}
      : {text: 'a still', title: 'A still: other boards on this page needed the room'};
    this.note({...words, action: {label: 'Draw again', run: () => quietly(this.#scope.redraw())}});
  }

  /** It was to be shown under rules that there are not. */
  noRules(name, title) {
    this.note({text: `no rules ${name}`, title: `There are no rules “${name}”: shown under ${title}`, action: null});
    const clear = () => {
      this.#scope.removeEventListener('info', clear);
      this.note({text: '', title: '', action: null});
    };
    this.#scope.addEventListener('info', clear);
  }

  /** The link's step is not in the scenario: said until another one is on screen. */
  gone(step) {
    this.missing = step;
    const clear = () => {
      this.#scope.removeEventListener('step', clear);
      this.missing = '';
      this.#shell.words.show(this.#scope.caption);
    };
    this.#shell.words.instead(this.#scope.position.label, `The link’s step ${step} is gone, this is the start.`, el('button.btn', {onclick: clear}, 'OK'));
    this.#scope.addEventListener('step', clear);
  }

  /** A quiet word; text "" takes it back. @param {{text: string, title: string, action: {label: string, run: () => void}|null}} note */
  note(note) {
    if (this.#say('note', note)) this.#shell.words.note(note.text ? note : null);
  }

  /** All is well again. */
  end() {
    this.broken = null;
    this.#shell.closePanel();
    this.note({text: '', title: '', action: null});
  }

  /** The step to go back to: the one on screen, or the one before it if that broke. */
  goal() {
    const {stop = 0, label = ''} = this.#scope.position ?? {};
    const broke = this.broken?.report?.step === label;
    return broke ? this.#scope.info?.stops[stop - 1]?.label ?? label : label;
  }

  /** The text of a branch that would be lost with the program, null for the file as it was. */
  kept() {
    const {info, bridge} = this.#scope;
    if (!info || info.branch === 'main') return null;
    try {
      return new TextEncoder().encode(bridge.save());
    } catch {
      return null;
    }
  }

  #retry(error) { return failed(error.message, () => quietly(this.#scope.ready())); }

  #show(error, panel) {
    if (this.#say('error', {error})) this.#shell.showPanel(panel());
  }
}

/** Hands a file out. @param {string} name @param {Uint8Array} bytes */
export function download(name, bytes) {
  const url = URL.createObjectURL(new Blob([bytes], {type: 'application/yaml'}));
  el('a', {href: url, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
