// Two keys that move the part of the rows or columns which a board shows when
// there is no room for all. The wheel stays the page's.

import { el, icon } from '../dom.js';

/** @typedef {import('../bridge.js').Window} Window */

export class Mover {
  /** @type {Window|null} */
  #window = null;
  #what;

  /**
   * @param {"members"|"partitions"} what
   * @param {[string, string]} icons
   * @param {(first: number) => void} onmove  gets where to begin
   */
  constructor(what, icons, onmove) {
    this.#what = what;
    const key = (name, way, label) => el('button', {'aria-label': label, title: label, onclick: () => this.#go(way, onmove)}, icon(name));
    this.back = key(icons[0], -1, `Earlier ${what}`);
    this.on = key(icons[1], 1, `Later ${what}`);
    this.told = el('span.hidden', {role: 'status'});
    this.root = el('div.mover', {role: 'group', hidden: true, 'data-moves': what}, this.back, this.on, this.told);
    this.root.addEventListener('click', event => event.stopPropagation()); // it is no click on the board
  }

  /** @param {Window|null} window  null: nothing is left out */
  show(window) {
    this.#window = window;
    this.root.hidden = !window;
    if (!window) return;
    Object.assign(this.root.style, {left: `${window.x}px`, top: `${window.y}px`});
    this.root.setAttribute('aria-label', `${this.#words()} shown`);
    this.back.setAttribute('aria-disabled', String(window.first === 0));
    this.on.setAttribute('aria-disabled', String(window.first === this.#last));
  }

  get #last() { return this.#window.count - this.#window.shown; }

  /** Half of what is shown stays in sight. */
  #go(way, onmove) {
    const {first, shown} = this.#window;
    const to = Math.min(this.#last, Math.max(0, first + way * Math.max(1, Math.floor(shown / 2))));
    if (to === first) return;
    onmove(to);
    this.told.textContent = this.#window ? this.#words() : '';
  }

  #words() {
    const {first, shown, count} = this.#window;
    return `${this.#what} ${first + 1}${shown > 1 ? ` to ${first + shown}` : ''} of ${count}`;
  }
}
