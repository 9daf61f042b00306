// The scrubber: the ladder of epochs, 64 px high, or in an embed a line with a
// tick a stop. Both are sliders whose steps are the stops.

const ns = 'http://www.w3.org/2000/svg';

/** Above this many epochs the bands are a window around the one on screen. */
const BANDS = 8;

/**
 * @typedef {import('../bridge.js').Stop} Stop
 */

/** What both scrubbers share: the slider's role, pointer, and words. */
class Scrubber {
  /** @type {Stop[]} */
  stops = [];
  at = 0;
  /** How many stops the axis has room for: branches share it, the longest one fills it. */
  room = 0;

  /**
   * @param {string} name  class of the root
   * @param {(stop: number) => void} onseek
   */
  constructor(name, onseek) {
    this.root = document.createElement('div');
    this.root.className = `scrubber ${name}`;
    this.root.tabIndex = 0;
    this.root.setAttribute('role', 'slider');
    this.root.setAttribute('aria-label', 'Step');
    this.root.setAttribute('aria-valuemin', '0');
    this.onseek = onseek;
    this.#drag();
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.root);
  }

  /** @param {Stop[]} stops @param {number} at @param {number} [room] */
  show(stops, at, room = stops.length) {
    this.stops = stops;
    this.room = Math.max(room, stops.length);
    this.root.setAttribute('aria-valuemax', String(Math.max(0, stops.length - 1)));
    this.move(at);
  }

  move(at) {
    this.at = at;
    const stop = this.stops[at];
    this.root.setAttribute('aria-valuenow', String(at));
    this.root.setAttribute('aria-valuetext', stop ? [stepName(this.stops, at), stop.say, stop.violated && 'A rule is broken here.'].filter(Boolean).join('. ') : 'nothing is open');
    this.draw();
  }

  get width() { return this.root.clientWidth; }

  /** x of a stop. */
  x(i) {
    const {from, to} = this.span();
    return this.room < 2 ? from : from + (to - from) * i / (this.room - 1);
  }

  #drag() {
    const seek = event => {
      const {from, to} = this.span();
      const x = event.clientX - this.root.getBoundingClientRect().left;
      const last = this.stops.length - 1;
      const stop = Math.min(last, Math.round(Math.min(1, Math.max(0, (x - from) / (to - from))) * (this.room - 1)));
      if (last > 0 && stop !== this.at) this.onseek(stop);
    };
    this.root.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      this.root.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.root.addEventListener('pointermove', event => {
      if (this.root.hasPointerCapture(event.pointerId)) seek(event);
    });
  }
}

/** "K5, step 5 of 13": counted from the start, which is no step. */
export function stepName(stops, at) {
  const last = stops.length - 1;
  return at === 0 ? `${stops[0].label}, the start` : `${stops[at].label}, step ${at} of ${last}`;
}

/** The short line of an embed. */
export class Line extends Scrubber {
  constructor(onseek) { super('line', onseek); }

  span() { return {from: 7, to: this.width - 7}; }

  draw() {
    const width = this.width, n = this.stops.length;
    if (!width) return;
    const svg = canvas(width, 24);
    if (n > 0) {
      const x = this.x(this.at);
      svg.append(path('rest', `M${this.x(0)} 12H${this.x(n - 1)}`), path('done', `M${this.x(0)} 12H${x}`));
      // Ticks nearer than 6 px would run together; the line then stands alone.
      const every = Math.max(1, Math.ceil(6 * (this.room - 1) / (width - 14)));
      let done = '', rest = '';
      for (let i = 0; i < n; i += every) {
        const tick = `M${this.x(i)} 8v8`;
        if (i <= this.at) done += tick; else rest += tick;
      }
      svg.append(path('tick rest', rest), path('tick done', done));
      for (const stop of this.stops) if (stop.violated) svg.append(path('violated', `M${this.x(stop.index)} 4v16`));
      svg.append(disc(x, 12));
    }
    this.root.replaceChildren(svg);
  }
}

/**
 * The ladder: a band an epoch, the group's epoch as a line, and grey between
 * it and the slowest member: time spent reconciling.
 */
export class Ladder extends Scrubber {
  constructor(onseek) { super('ladder', onseek); }

  span() { return {from: 40, to: this.width - 24}; }

  draw() {
    const width = this.width, n = this.stops.length;
    if (!width) return;
    const svg = canvas(width, 92);
    if (n > 0) {
      const scale = this.#scale();
      svg.append(...this.#bands(scale), ...this.#lag(scale), path('group', this.#steps(scale)), ...this.#labels(), ...this.#broken());
      const x = this.x(this.at);
      svg.append(path('head', `M${x} 6V68`), disc(x, 68));
    }
    this.root.replaceChildren(svg);
  }

  /** Which epochs have a band, and where. Bands fill 9 to 65 px, the lowest epoch below. */
  #scale() {
    const epochs = this.stops.flatMap(s => [s.groupEpoch, s.minMemberEpoch]).filter(e => e >= 0);
    const low = Math.max(0, Math.min(...epochs, 0)), high = Math.max(...epochs, 0);
    const count = Math.min(high - low + 1, BANDS);
    const now = Math.max(0, this.stops[this.at].groupEpoch);
    const first = high - low < BANDS ? low : Math.min(Math.max(low, now - BANDS / 2), high - BANDS + 1);
    const height = 56 / count;
    const top = epoch => 65 - (Math.min(Math.max(epoch, first), first + count - 1) - first + 1) * height;
    return {first, count, height, top, middle: epoch => top(epoch) + height * (count === 1 ? .5 : .23)};
  }

  #bands({first, count, height, top}) {
    const every = Math.ceil(14 / height);
    const out = [];
    for (let i = 0; i < count; i++) {
      const epoch = first + i;
      out.push(box(32, top(epoch) + 1, this.width - 48, height - 2, `band e${hue(epoch)}`));
      if (i % every === 0) out.push(text(22, top(epoch) + height / 2 + 5, epoch, 'number'));
    }
    return out;
  }

  /** Grey where a member is behind: one box a run of equal values. */
  #lag({middle}) {
    const out = [];
    const behind = s => s.minMemberEpoch >= 0 && s.minMemberEpoch < s.groupEpoch;
    for (let i = 0; i < this.stops.length - 1;) {
      const s = this.stops[i];
      let end = i + 1;
      while (end < this.stops.length - 1 && this.stops[end].groupEpoch === s.groupEpoch && this.stops[end].minMemberEpoch === s.minMemberEpoch) end++;
      if (behind(s)) {
        const y = middle(s.groupEpoch);
        out.push(box(this.x(i), y, this.x(end) - this.x(i), middle(s.minMemberEpoch) - y, 'lag'));
      }
      i = end;
    }
    return out;
  }

  #steps({middle}) {
    let d = '';
    let drawn = false;
    this.stops.forEach((s, i) => {
      if (s.groupEpoch < 0) { drawn = false; return; }
      const y = middle(s.groupEpoch);
      d += drawn ? `H${this.x(i)}V${y}` : `M${this.x(i)} ${y}`;
      drawn = true;
    });
    return d;
  }

  /** Labels under the ladder, as many as fit: the one on screen always, then those of named steps, then the others. */
  #labels() {
    const places = this.stops.map((stop, i) => this.#place(stop.label, i));
    const kept = [];
    const keep = among => among.forEach(place => { if (kept.every(k => apart(k, place))) kept.push(place); });
    keep(places.filter((_, i) => this.stops[i].step));
    keep(places.filter((_, i) => !this.stops[i].step));
    const now = places[this.at];
    const shown = [...kept.filter(place => place !== now && apart(place, now)), now];
    const ticks = this.room <= (this.width - 64) / 6 ? places.map(({i}) => `M${this.x(i)} 69v5`).join('') : '';
    return [path('marks', ticks), ...shown.map(({i, middle}) => text(middle, 88, this.stops[i].label, `label${i === this.at ? ' now' : ''}${this.stops[i].violated ? ' bad' : ''}`))];
  }

  /** Where a label stands: under its stop, or as far right or left of it as the edge demands. */
  #place(label, i) {
    const half = wide(label, this.root) / 2;
    return {i, half, middle: Math.max(half + 2, Math.min(this.x(i), this.width - half - 2))};
  }

  #broken() {
    return this.stops.filter(s => s.violated).flatMap(s => {
      const x = this.x(s.index);
      return [path('violated', `M${x} 9V65`), path('violated', `M${x - 4} 1l8 8m0-8l-8 8`)];
    });
  }
}

/** Whether two labels leave room between them. */
function apart(a, b) { return Math.abs(a.middle - b.middle) >= a.half + b.half + 12; }

/** A context to measure text with, and the widths of labels by their font. */
let measure;
const widths = new Map();

/** How wide a label is at its boldest, in the face of the scrubber. */
function wide(label, root) {
  const {fontSize, fontFamily} = getComputedStyle(root);
  const font = `500 ${fontSize} ${fontFamily}`, key = font + label;
  if (!widths.has(key)) {
    measure ??= document.createElement('canvas').getContext('2d');
    measure.font = font;
    widths.set(key, Math.ceil(measure.measureText(label).width));
  }
  return widths.get(key);
}

function hue(epoch) { return epoch > 0 ? (epoch - 1) % 8 + 1 : 0; }

function canvas(width, height) {
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('width', width);
  svg.setAttribute('height', height);
  svg.setAttribute('aria-hidden', 'true');
  return svg;
}

function shape(name, attributes) {
  const node = document.createElementNS(ns, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

const path = (name, d) => shape('path', {class: name, d});
const box = (x, y, width, height, name) => shape('rect', {class: name, x, y, width: Math.max(0, width), height: Math.max(0, height)});
const disc = (cx, cy) => shape('circle', {class: 'knob', cx, cy, r: 6});
function text(x, y, words, name) {
  const node = shape('text', {class: name, x, y});
  node.textContent = words;
  return node;
}
