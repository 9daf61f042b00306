// The element's inside: its parts, and the few ways they change. It shows what
// it is told and knows nothing of programs or scenarios.

import { el } from '../dom.js';
import { CaptionView } from './caption.js';
import { help, press } from './keys.js';
import { keysDialog, Loading } from './panels.js';
import { looks } from './stills.js';
import { Regions } from './regions.js';
import { sheet } from './style.js';
import { Transport } from './transport.js';

export class Shell {
  /**
   * @param {HTMLElement} host
   * @param {object} commands  what keys and buttons do: those of Transport, wake (a click on a still), load, cancel, present, board
   * @param {ConstructorParameters<typeof Regions>[1]} board  what answers for the board's parts
   */
  constructor(host, commands, board) {
    this.host = host;
    const root = host.attachShadow({mode: 'open'});
    root.adoptedStyleSheets = [sheet];
    this.still = el('div.still');
    this.live = el('div.live', {role: 'img'});
    this.cover = el('button.cover', {'aria-label': 'Play', onclick: commands.wake});
    this.stage = el('div.stage', {part: 'board'}, this.still, this.live, this.cover);
    this.regions = new Regions(this.stage, board);
    this.words = new CaptionView();
    this.table = el('div.hidden');
    this.loading = new Loading(commands);
    this.transport = new Transport(commands);
    this.transport.root.prepend(this.loading.root);
    this.transport.link.before(this.words.rules);
    this.panel = el('div.under', {hidden: true});
    this.root = el('div.root', {}, this.stage, el('div.below', {}, this.words.root, this.words.live, this.table,
      el('div.faults', {}, el('slot', {name: 'faults'})), this.transport.root), this.panel);
    const more = {...commands, blank: () => this.#blank(), help: () => this.#help()};
    this.root.addEventListener('keydown', event => press(event, more, this.layout !== 'page'));
    root.append(this.root);
    this.state('still');
    this.showStill(host.querySelector(':scope > svg') ?? undefined);
  }

  get layout() { return this.host.getAttribute('layout') ?? 'embed'; }

  /** Follows the attributes that only say how it looks. */
  dress() {
    const theme = this.host.getAttribute('theme');
    if (theme === 'light' || theme === 'dark') this.host.dataset.theme = theme; else delete this.host.dataset.theme;
    const controls = this.host.getAttribute('controls') ?? (this.layout === 'page' ? 'full' : 'line');
    this.root.classList.toggle('full', controls === 'full');
  }

  /** @param {string} state  as the element names it */
  state(state) {
    this.root.dataset.state = state;
    this.transport.busy(state === 'loading' || state === 'cancelled');
  }

  /** @param {Node} [picture]  another still than the one that is there */
  showStill(picture) {
    if (picture) this.still.replaceChildren(picture);
    this.root.dataset.shown = 'still';
    this.cover.hidden = false;
  }

  showLive() {
    this.root.dataset.shown = 'live';
    this.still.replaceChildren(); // two pictures in one tree could share the ids of their patterns
    this.cover.hidden = true;
    if (!this.regions.root.isConnected) this.stage.append(this.regions.root);
  }

  /** Says of the board on screen what it is and what it shows. */
  describe({protocol, position}, {say}) {
    const board = this.host.getAttribute('board') === 'topology' && protocol === 'streams' ? 'Topology' : 'Group';
    this.live.setAttribute('aria-label', `${board} board at ${position.label}. ${say}`);
  }

  /** The place of caption and transport, for what is the matter. */
  showPanel(panel) {
    this.panel.replaceChildren(panel);
    this.panel.hidden = false;
    this.root.dataset.panel = '';
  }

  closePanel() {
    this.panel.replaceChildren();
    this.panel.hidden = true;
    delete this.root.dataset.panel;
  }

  /** The height the board would like; it gets it unless the page's CSS gives the element another one. */
  like(height, least = height, firm = 0) {
    if (!height || this.layout === 'presentation') return;
    this.stage.style.setProperty('--gs-board', `${Math.ceil(height)}px`);
    this.stage.style.setProperty('--gs-board-least', `${Math.ceil(least)}px`);
    this.stage.style.setProperty('--gs-board-firm', `${Math.ceil(firm)}px`);
  }

  /** A presenter's key: the eyes go to the speaker. */
  #blank() {
    const blank = this.stage.querySelector('.blank');
    if (blank) blank.remove(); else this.stage.append(el('div.blank'));
  }

  #help() {
    const dialog = keysDialog(help, looks(this.host.info?.protocol === 'streams', this.root.clientWidth * .9 - 43));
    this.root.append(dialog);
    dialog.showModal();
    dialog.scrollTop = 0;
  }
}
