// The board's parts, for pointer and keyboard. The canvas itself takes no
// input: what lies under a point, the program says.

import { el } from '../dom.js';

/** @typedef {import('../bridge.js').Region} Region */

export class Regions {
  /** @type {Region[]} */
  #list = [];
  #at = -1;

  /**
   * @param {HTMLElement} stage
   * @param {{regions: () => Region[], hit: (x: number, y: number) => {id: string, title: string}|null, choose: (detail: object) => void}} on
   */
  constructor(stage, on) {
    this.on = on;
    this.stage = stage;
    this.mark = el('div.at');
    this.root = el('div.regions', {role: 'listbox', tabindex: 0, 'aria-label': 'Parts of the board; arrows up and down, then Enter'}, this.mark);
    this.root.addEventListener('focus', () => this.refresh());
    this.root.addEventListener('blur', () => { this.#fill([]); });
    this.root.addEventListener('keydown', event => this.#key(event));
    stage.addEventListener('click', event => this.#click(event));
    stage.addEventListener('pointermove', event => this.#hover(event));
  }

  /** Takes the parts anew; called when the picture has changed. */
  refresh() {
    if (!this.focused) return;
    const id = this.#list[this.#at]?.id;
    this.#fill(this.on.regions());
    this.#go(Math.max(0, this.#list.findIndex(r => r.id === id)));
  }

  get focused() { return this.root.getRootNode().activeElement === this.root; }

  #fill(list) {
    this.#list = list;
    this.#at = -1;
    this.root.replaceChildren(this.mark, ...list.map((r, i) => el('div.hidden', {role: 'option', id: `part-${i}`}, r.title)));
  }

  #go(i) {
    const region = this.#list[i];
    if (!region) return;
    this.root.children[this.#at + 1]?.setAttribute('aria-selected', 'false');
    this.#at = i;
    this.root.children[i + 1].setAttribute('aria-selected', 'true');
    this.root.setAttribute('aria-activedescendant', `part-${i}`);
    Object.assign(this.mark.style, {left: `${region.x}px`, top: `${region.y}px`, width: `${region.w}px`, height: `${region.h}px`});
  }

  #key(event) {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step) {
      this.#go(Math.min(this.#list.length - 1, Math.max(0, this.#at + step)));
    } else if (event.key === 'Enter' && this.#list[this.#at]) {
      const {id, title, x, y, w, h} = this.#list[this.#at];
      this.on.choose({id, title, x: x + w / 2, y: y + h / 2, via: 'keyboard'});
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #point(event) {
    const box = this.stage.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  }

  #click(event) {
    const {x, y} = this.#point(event);
    const hit = this.on.hit(x, y);
    if (hit !== undefined) this.on.choose({id: hit?.id ?? '', title: hit?.title ?? '', x, y, via: 'pointer'});
  }

  #hover(event) {
    if (event.pointerType === 'touch') return;
    const {x, y} = this.#point(event);
    const hit = this.on.hit(x, y);
    const title = hit?.title ?? '';
    if (this.stage.title !== title) this.stage.title = title;
    this.stage.style.cursor = hit ? 'pointer' : '';
  }
}
