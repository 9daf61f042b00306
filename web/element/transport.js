// The keys under the board: play, step, speed, and the scrubber.

import { el } from '../dom.js';
import { Ladder, Line, stepName } from './ladder.js';

const shapes = {
  home: 'M4 3h2v14H4zM17 3v14L7 10z',
  back: 'M14 3v14L4 10z',
  play: 'M5 3l12 7-12 7z',
  pause: 'M5 3h3.5v14H5zM11.5 3H15v14h-3.5z',
  on: 'M6 3v14l10-7z',
  end: 'M14 3h2v14h-2zM3 3v14l10-7z',
};

const SPEEDS = [0.5, 1, 2, 4, 8];

/**
 * @typedef {object} Commands
 * @property {() => void} toggle            play or pause
 * @property {(by: number) => void} step
 * @property {(stop: number) => void} seek  an index; -1 is the last
 * @property {(x: number) => void} speed
 */

export class Transport {
  #stops = [];

  /** @param {Commands} commands */
  constructor(commands) {
    this.commands = commands;
    const key = (name, label, run, more = '') => el(`button.icon${more}`, {'aria-label': label, title: label, 'data-key': name, onclick: run}, glyph(name));
    this.home = key('home', 'To the start', () => commands.seek(0), '.far');
    this.back = key('back', 'One step back', () => commands.step(-1));
    this.play = key('play', 'Play', () => commands.toggle(), '.play');
    this.on = key('on', 'One step on', () => commands.step(1));
    this.end = key('end', 'To the end', () => commands.seek(-1), '.far');
    this.name = el('b.name');
    this.speed = el('select.speed', {'aria-label': 'Speed', title: 'Speed', onchange: () => commands.speed(Number(this.speed.value))},
      SPEEDS.map(x => el('option', {value: x}, `${x}×`)));
    this.speed.value = '1';
    this.link = el('a.link', {target: '_blank', rel: 'noopener'}, 'Groupscope');
    this.line = new Line(stop => commands.seek(stop));
    this.ladder = new Ladder(stop => commands.seek(stop));
    this.root = el('section.transport', {part: 'transport', 'aria-label': 'Playback'},
      el('nav', {}, this.home, this.back, this.play, this.on, this.end,
        this.line.root, this.name, this.speed, slot('transport'), this.link),
      this.ladder.root, slot('rail'));
  }

  /**
   * @param {import('../bridge.js').Stop[]} stops
   * @param {import('../bridge.js').Position} position
   * @param {number} [room]  stops of the longest branch: the ladder's axis is that of all branches
   */
  show(stops, position, room) {
    if (stops !== this.#stops || this.ladder.room !== Math.max(room ?? 0, stops.length)) {
      this.#stops = stops;
      this.line.show(stops, position.stop);
      this.ladder.show(stops, position.stop, room);
    } else if (this.line.at !== position.stop) {
      this.line.move(position.stop);
      this.ladder.move(position.stop);
    }
    this.name.textContent = stops.length ? stepName(stops, position.stop) : '';
    this.speed.value = String(position.speed || 1);
    const label = position.playing ? 'Pause' : 'Play';
    if (this.play.title !== label) {
      this.play.title = label;
      this.play.setAttribute('aria-label', label);
      this.play.replaceChildren(glyph(position.playing ? 'pause' : 'play'));
    }
    this.#enable(this.home, !position.atStart);
    this.#enable(this.back, !position.atStart);
    this.#enable(this.on, !position.atEnd);
    this.#enable(this.end, !position.atEnd);
  }

  /** While the program is on its way the keys wait, and keep the focus they may have. */
  busy(busy) {
    this.root.classList.toggle('busy', busy);
    for (const b of [this.home, this.back, this.play, this.on, this.end]) this.#enable(b, !busy);
  }

  /** A key that leads nowhere keeps the focus it may have. */
  #enable(button, on) { button.setAttribute('aria-disabled', String(!on)); }
}

function slot(name) { return el('slot', {name}); }

function glyph(name) {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(ns, 'path');
  path.setAttribute('d', shapes[name]);
  svg.append(path);
  return svg;
}
