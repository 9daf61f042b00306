// One running program and its board: loading, starting, parking, drawing.
// It knows nothing of captions, keys or scenarios.

import { BridgeClient, ErrorKinds, Events } from '../bridge.js';
import { boot, prefetchLoader } from '../host.js';
import { takePlace } from '../places.js';
import { program, wasm } from '../program.js';
import { fromMarkup } from './stills.js';

/** Methods that only read: they leave the picture as it is. */
const reading = new Set(['info', 'caption', 'log', 'acts', 'inspect', 'possible', 'snapshot', 'save', 'svg', 'scene', 'regions', 'hit']);

/**
 * Events, each a CustomEvent: `position`, `end` and `error` as the program
 * sends them, and `lost` when the picture is gone: {why: "context" | "evicted"}.
 */
export class Player extends EventTarget {
  /** @type {BridgeClient|null} */
  bridge = null;
  /** How the board is drawn: by the program on a canvas, or as SVG by this page. @type {"canvas"|"svg"} */
  drawing = 'canvas';

  #stage;
  #instance = null;
  #active = true;   // somebody can see it
  #moving = false;  // the program has frames to draw
  #frame = 0;       // of the SVG loop
  #last = 0;
  #drew;
  /** Resolves when the first picture stands, or none will. @type {Promise<void>} */
  drawn = new Promise(resolve => { this.#drew = resolve; });
  #shown = false;
  #viewed = false;  // the program knows how large the board is

  /** @param {HTMLElement} stage  gets the canvas or the SVG */
  constructor(stage) {
    super();
    this.#stage = stage;
  }

  /**
   * Loads and starts the program.
   * @param {{signal?: AbortSignal, onprogress?: (p: import('../program.js').Progress) => void, asked?: boolean}} [options]
   *   asked: whether it may take the place of another program that is at work
   * @throws {import('../places.js').NoRoom}
   */
  async start(options = {}) {
    const place = await takePlace(options);
    let canvas = null;
    try {
      const coming = program(wasm, options);
      prefetchLoader();
      canvas = webgl2(); // takes its time, in which the program comes
      this.drawing = canvas ? 'canvas' : 'svg';
      const module = await coming;
      options.signal?.throwIfAborted();
      const args = [canvas ? '-canvas' : '-still'];
      this.#instance = await boot({module, container: this.#stage, canvas, place, args, onevent: event => this.#hosted(event)});
      options.signal?.throwIfAborted();
    } catch (error) {
      giveBack(canvas);
      this.destroy();
      place.leave();
      throw error;
    }
    const instance = this.#instance;
    this.bridge = new BridgeClient(instance.exports, event => this.#program(event));
    this.#settle();
  }

  /** Calls the program; what changes the picture has it drawn again. */
  call(method, args) {
    return this.#run(method, () => this.bridge.call(method, args));
  }

  load(name, source, options) {
    return this.#run('load', () => this.bridge.load(name, source, options));
  }

  /** Loads under a rule set; where there is none of that name, under the file's first. */
  loadUnder(rules, name, source) {
    if (!rules) return this.load(name, source, {});
    try {
      return this.load(name, source, {rules});
    } catch (error) {
      if (error.kind !== ErrorKinds.refused) throw error;
      return this.load(name, source, {});
    }
  }

  #run(method, f) {
    if (reading.has(method)) return this.#watched(f);
    this.wake();
    const result = this.#watched(f);
    if (method === 'view') this.#viewed = true;
    if (this.drawing === 'svg' && this.#viewed) this.#paint();
    return result;
  }

  /** A call that broke the program is heard of as what breaks in a frame is. */
  #watched(f) {
    try {
      return f();
    } catch (error) {
      if (error.kind === ErrorKinds.broken) this.dispatchEvent(new CustomEvent('error', {detail: {error}}));
      throw error;
    }
  }

  /** Lets the program run until it says that nothing moves any more. */
  wake() {
    this.#moving = true;
    this.#settle();
  }

  /** @param {boolean} active  whether anybody can see the board */
  activate(active) {
    if (this.#active === active) return;
    this.#active = active;
    this.#settle();
  }

  /**
   * What it was started for is on screen, or failed: once those who waited for
   * that have had their turn, it may have to make room for others.
   */
  arrived() { setTimeout(() => this.#instance?.arrived()); }

  /** Frames drawn since the start, for tests and measuring. */
  get frames() { return this.#instance?.frames ?? 0; }

  get parked() { return !this.#instance || this.#instance.parked || this.drawing === 'svg' && !this.#frame; }

  /** @returns {HTMLCanvasElement|null} */
  get canvas() { return this.drawing === 'canvas' ? this.#instance?.canvas ?? null : null; }

  destroy() {
    this.#instance?.destroy();
    this.#instance = null;
    this.bridge = null;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#stage.replaceChildren();
    this.#drew();
  }

  #settle() {
    if (!this.#instance) return;
    const run = (this.#active || !this.#shown) && this.#moving;
    if (this.drawing === 'svg') this.#loop(run);
    else if (run) this.#instance.unpark();
    else this.#instance.park();
  }

  #program({type, ...detail}) {
    if (type === Events.moving) {
      this.#moving = detail.moving;
      if (!detail.moving) this.#show();
      this.#settle();
      return;
    }
    this.dispatchEvent(new CustomEvent(type, {detail}));
  }

  #hosted(event) {
    this.#drew();
    if (event.type === 'exit') {
      const message = lastLine(event.output) || `the program ended with code ${event.code}`;
      this.dispatchEvent(new CustomEvent('error', {detail: {error: {kind: 'broken', message, report: {stack: event.output}}}}));
    } else {
      this.dispatchEvent(new CustomEvent('lost', {detail: {why: event.type === 'lost' ? 'context' : 'evicted'}}));
    }
  }

  // ---- without WebGL2: the program lays out, SVG shows it, the page keeps the clock ----

  #loop(run) {
    if (!run) {
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
    } else if (!this.#frame) {
      this.#last = 0;
      this.#frame = requestAnimationFrame(now => this.#tick(now));
    }
  }

  #tick(now) {
    this.#frame = 0;
    const {moving} = this.bridge.advance(this.#last ? Math.min(now - this.#last, 100) : 0);
    this.#last = now;
    this.#paint();
    this.#moving = moving;
    if (moving && this.#active) this.#frame = requestAnimationFrame(t => this.#tick(t));
  }

  #paint() {
    this.#stage.replaceChildren(fromMarkup(this.bridge.svg()));
    this.#show();
  }

  #show() {
    this.#shown = true;
    this.#drew();
  }
}

/**
 * A canvas for the program, whose context it finds made: with the attributes
 * and the size that Ebitengine gives one at first, as a change of either makes
 * the graphics driver start anew, and everything wait for it.
 * @returns {HTMLCanvasElement|null} null where the browser does not draw with WebGL2
 */
function webgl2() {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 16;
  return canvas.getContext('webgl2', {alpha: true, premultipliedAlpha: true, stencil: true}) ? canvas : null;
}

/** Frees the context of a canvas that no program came for, or whose program has ended. */
function giveBack(canvas) {
  canvas?.getContext('webgl2').getExtension('WEBGL_lose_context')?.loseContext();
}

function lastLine(text) {
  return text.trim().split('\n').find(line => /^(panic|fatal error): /.test(line))?.replace(/^(panic|fatal error): /, '') ?? '';
}
