// What stands under the board when something is the matter: loading, a file
// with mistakes, a program that stopped. Words and places are those of the
// visual language, section 12; nothing here covers the board.

import { el, icon } from '../dom.js';

/** The row that takes the place of the controls while the program loads. */
export class Loading {
  /** @param {{cancel: () => void, load: () => void}} on */
  constructor(on) {
    this.words = el('span.words');
    this.bytes = el('span.soft.num');
    this.bar = el('i');
    this.track = el('div.progress', {role: 'progressbar', 'aria-label': 'Loading the player', 'aria-valuemin': 0, 'aria-valuemax': 100}, this.bar);
    this.button = el('button.btn', {onclick: () => this.stopped ? on.load() : on.cancel()});
    this.root = el('div.loading', {role: 'status'}, this.words, this.bytes, this.track, this.button);
    this.begin();
  }

  begin() {
    this.stopped = false;
    this.file = '';
    this.words.textContent = 'Loading the player';
    this.bytes.textContent = '';
    this.track.hidden = false;
    this.button.textContent = 'Cancel';
    this.progress({loaded: 0, total: 0});
  }

  /** @param {import('../program.js').Progress} p */
  progress({loaded, total}) {
    this.last = loaded;
    if (total) this.bytes.textContent = `${mega(loaded)} of ${mega(total)} MB`;
    const share = total ? Math.round(100 * loaded / total) : 0;
    this.bar.style.width = `${share}%`;
    this.track.setAttribute('aria-valuenow', share);
  }

  /** The player is there, a file is not yet. @param {string} name */
  fetching(name) {
    this.begin();
    this.file = name;
    this.words.textContent = `Fetching ${name}`;
    this.track.hidden = true;
  }

  /** After Cancel: says how far it came, and offers to go on. */
  cancelled() {
    this.stopped = true;
    this.words.textContent = this.file ? `Stopped fetching ${this.file}` : `Stopped at ${mega(this.last)} MB`;
    this.bytes.textContent = '';
    this.track.hidden = true;
    this.button.textContent = 'Load';
  }
}

const mega = bytes => (bytes / 1e6).toFixed(1);

/**
 * A program that stopped.
 * @param {import('../bridge.js').BridgeError} error
 * @param {{goal: string, reload: () => void, save: () => void}} on  goal: the label to go back to
 */
export function stopped(error, {goal, reload, save}) {
  const {report} = error;
  const status = el('span.soft', {role: 'status'});
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(reportText(error));
      status.textContent = 'Copied';
    } catch {
      status.textContent = 'Not copied: the browser forbids it';
    }
  };
  const fact = (name, value) => value === undefined || value === '' ? null : [el('dt', {}, name), el('dd', {}, value)];
  return el('div.panel.stop', {role: 'alert'},
    el('h2', {}, icon('cross'), el('b', {}, report?.step ? `The program stopped in ${report.step}` : 'The program stopped'),
      el('span.soft.num', {}, [report?.instant && `at ${report.instant}`, report?.seed && `seed ${report.seed}`].filter(Boolean).join(', '))),
    el('div.more', {},
      el('p', {}, 'Groupscope broke one of its own rules. That is our fault, not the scenario’s. Above is the last good picture.'),
      el('dl', {}, fact('Rule', error.message), fact('Build', report?.build))),
    el('div.acts', {},
      el('button.btn.primary', {onclick: reload}, `Reload, go to ${goal}`),
      el('button.btn', {onclick: save}, 'Save file'),
      el('button.btn', {onclick: copy}, 'Copy report'), status));
}

function reportText(error) {
  return ['Groupscope stopped.', `Rule: ${error.message}`, ...Object.entries(error.report ?? {}).map(([k, v]) => `${k}: ${v}`)].join('\n');
}

/**
 * A file with mistakes: the count and the first one, all of them on demand.
 * @param {string} name
 * @param {import('../bridge.js').Diagnostic[]} diagnostics
 * @param {{kept: string, close: (() => void)|null}} on  kept: the label still on screen, "" for none
 */
export function mistakes(name, diagnostics, {kept, close}) {
  const first = diagnostics[0];
  const n = diagnostics.length;
  const all = el('ol.diagnostics', {hidden: true, tabindex: 0, 'aria-label': 'Mistakes'}, diagnostics.map(entry));
  const one = el('p.first', {}, el('code', {}, `${first.line}:${first.column}`), ` ${sentence(first)}`);
  const more = el('button.btn', {'aria-expanded': 'false', onclick: () => {
    all.hidden = !all.hidden;
    one.hidden = !all.hidden;
    more.setAttribute('aria-expanded', String(!all.hidden));
    more.textContent = all.hidden ? (n > 1 ? `All ${n}` : 'Show it') : 'Only the first';
  }}, n > 1 ? `All ${n}` : 'Show it');
  return el('div.panel.mistakes', {role: 'alert'},
    el('h2', {}, icon('cross'), el('b', {}, `${name} has ${n === 1 ? 'a mistake' : `${n} mistakes`}`), el('span.soft', {}, kept && `still showing ${kept}`)),
    all, el('div.acts', {}, one, more, close && el('button.btn', {onclick: close}, 'Close')));
}

function entry({file, line, column, length, message, hint, source}) {
  const lead = ' '.repeat(Math.max(0, column - 1));
  return el('li', {},
    el('code', {}, `${file}:${line}:${column}`),
    el('div', {}, el('span', {}, message, hint && `. ${hint}`), source && el('code.src', {}, source, '\n', lead, el('b.caret', {}, '^'.repeat(Math.max(1, length))))));
}

const sentence = d => d.hint ? `${d.message}. ${d.hint}` : d.message;

/** Something that could not be loaded at all. */
export function failed(message, retry) {
  return el('div.panel.failed', {role: 'alert'},
    el('h2', {}, icon('cross'), el('b', {}, 'Nothing was loaded')),
    el('div.acts', {}, el('p.first', {}, message), el('button.btn', {onclick: retry}, 'Try again')));
}

/** The keys, in a dialog. */
export function keysDialog(keys, legend) {
  const close = el('button.btn.primary', {onclick: () => dialog.close()}, 'Close');
  const dialog = el('dialog.keys', {'aria-label': 'Keys'},
    el('h2', {}, 'Keys'),
    el('ul', {}, keys.map(([caps, words]) => el('li', {}, el('span', {}, caps.map(c => el('kbd', {}, c))), words))),
    el('h2', {}, 'What it looks like'), legend, close);
  dialog.addEventListener('close', () => dialog.remove());
  return dialog;
}

