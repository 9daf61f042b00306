// How the board is to be drawn, and which part of it where not all fits: what
// the program is told about the element.

import { Mover } from './mover.js';

export class BoardView {
  /** Id of the region that is marked. */
  selected = '';

  #host;
  #shell;
  #surroundings;
  #sent = '';      // the last view, to send none twice
  #told = null;    // whom it was sent to, and at which stop
  #row = 0;
  #column = 0;
  #heldAt = null;  // the stop at which the reader moved the rows: they stay until the next one

  /**
   * @param {HTMLElement} host
   * @param {import('./shell.js').Shell} shell
   * @param {import('./surroundings.js').Surroundings} surroundings
   */
  constructor(host, shell, surroundings) {
    this.#host = host;
    this.#shell = shell;
    this.#surroundings = surroundings;
    this.rows = new Mover('members', ['up', 'down'], first => this.#move({row: first}));
    this.columns = new Mover('partitions', ['left', 'right'], first => this.#move({column: first}));
    shell.stage.append(this.columns.root, this.rows.root);
  }

  /** Another scenario: it is seen from its first member on. */
  reset() {
    this.#row = this.#column = 0;
    this.#heldAt = null;
    this.renew();
  }

  /** The next view is sent even if it is the same: another board may like another height. */
  renew() { this.#sent = ''; }

  /**
   * Tells the program, if there is something to tell.
   * @param {import('./player.js').Player} player
   * @param {number} stop  the board's height and rows may be others at another stop
   */
  send(player, stop) {
    const {stage} = this.#shell;
    if (!stage.clientWidth) return;
    this.#told = {player, stop};
    const view = {
      width: stage.clientWidth, height: stage.clientHeight, scale: devicePixelRatio,
      theme: this.#surroundings.theme(this.#host.getAttribute('theme')), board: this.#host.getAttribute('board') ?? 'group',
      reducedMotion: this.#surroundings.reducedMotion, selected: this.selected,
      presentation: this.#host.getAttribute('layout') === 'presentation',
      firstRow: this.#row, firstColumn: this.#column, held: this.#heldAt === stop,
    };
    const text = JSON.stringify([view, stop]);
    if (text === this.#sent) return;
    this.#sent = text;
    const {height, least, firm, rows, columns} = player.call('view', view);
    this.#shell.like(height, least, firm);
    this.rows.show(rows);
    this.columns.show(columns);
    this.#shell.regions.refresh();
  }

  #move({row, column = this.#column}) {
    const {player, stop} = this.#told;
    if (row !== undefined) {
      this.#row = row;
      this.#heldAt = stop;
    }
    this.#column = column;
    this.send(player, stop);
  }
}
