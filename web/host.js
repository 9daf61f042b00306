// The host: gives a Go program with Ebitengine a private window and document,
// so that it lives in any element of a page instead of owning the page.
//
// Ebitengine expects a page of its own. It puts a canvas into document.body,
// styles html and body, takes wheel, keys, touches and Tab, follows the window's
// size, and reloads the page when the graphics context is lost. What it reaches
// for, it reaches through Go's reference to `globalThis`; so that reference is
// replaced, before the program starts, by an object that answers in its place.
// Each program gets its own, which is why several fit on one page.
//
// This leans on how Ebitengine v2.10 and Go's wasm_exec.js are made. Both are
// pinned, and web/browsertest has a test for each promise made here.

import { takePlace } from './places.js';

/**
 * Starts a program in an element.
 * @param {object} options
 * @param {WebAssembly.Module} options.module
 * @param {HTMLElement} options.container  gets the canvas as its child; its size is the canvas's
 * @param {HTMLCanvasElement} [options.canvas]  that the program is to draw on, its context made already
 * @param {import('./places.js').Place} [options.place]  that was taken for it; given back when the program ends
 * @param {string[]} [options.args]        program arguments
 * @param {(event: HostEvent) => void} [options.onevent]
 * @returns {Promise<Instance>} once the program has called `groupscope_ready`
 *
 * @typedef {{type: "lost"} | {type: "evicted"} | {type: "exit", code: number, output: string}} HostEvent
 *   lost: the graphics context is gone, the canvas shows nothing any more;
 *   evicted: its place was wanted by another program, this one was ended;
 *   exit: the program ended by itself, with what it printed last.
 */
export async function boot({module, container, canvas, place, args = [], onevent = () => {}}) {
  place ??= await takePlace();
  let instance = null;
  try {
    const Go = await goClass();
    instance = new Instance(Go, container, canvas, place, args, onevent);
    await instance.start(module);
    return instance;
  } catch (error) {
    instance?.destroy();
    place.leave();
    throw error;
  }
}

/**
 * How far Go's heap may grow before it is swept for the first time: to 16 MB,
 * four times what it would by itself. A start needs less than that, and a
 * sweep takes as long as a frame or two.
 */
const ROOMY = '400';

/** Fetches what boot needs besides the module, for a caller that waits for that. */
export function prefetchLoader() {
  goClass().catch(() => {}); // boot says so
}

/** Go's loader defines `Go` on the page's globalThis; what stood there before is put back. */
let goPromise;
function goClass() {
  return goPromise ??= (async () => {
    const before = Object.getOwnPropertyDescriptor(globalThis, 'Go');
    try {
      await import('./wasm_exec.js');
    } catch {
      goPromise = null;
      throw new Error('The player could not be fetched: the server does not answer.');
    }
    const Go = globalThis.Go;
    if (before) Object.defineProperty(globalThis, 'Go', before); else delete globalThis.Go;
    return Go;
  })();
}

/** One running program. */
class Instance {
  /** @type {HTMLCanvasElement|null} */
  canvas = null;
  /** The program's exports, once it is ready. @type {object|null} */
  exports = null;
  /** Frames run since the start. */
  frames = 0;
  parked = false;

  #go;
  #container;
  #given;              // a canvas for the program, until it takes it
  #place;
  #dead = false;
  #heldFrame = null;   // the frame wanted while parked
  #heldTimers = [];    // Go's timers that came due while parked
  #resized = [];       // Ebitengine's listeners for the window's resize
  #ready;
  #output = '';
  #size = {width: 0, height: 0};
  #observer = null;
  #unlisten = new AbortController();

  constructor(Go, container, canvas, place, args, onevent) {
    this.onevent = onevent;
    this.#container = container;
    this.#given = canvas;
    this.#place = place;
    this.#go = new Go();
    this.#go.argv = ['groupscope', ...args];
    this.#go.env = {GOGC: ROOMY}; // the program's own code takes over from there
    this.#ready = promise();
    this.#ready.promise.catch(() => {}); // it may end before anybody waits for it
  }

  async start(module) {
    const go = this.#go;
    const imports = go.importObject.gojs;
    imports['runtime.scheduleTimeoutEvent'] = sp => this.#setTimer(sp >>> 0);
    imports['runtime.wasmWrite'] = sp => this.#print(sp >>> 0);
    go.exit = code => this.#exited(code);
    this.#measure();
    const {exports} = await WebAssembly.instantiate(module, go.importObject);
    if (this.#dead) return this.#ready.promise;
    const global = this.#global();
    // go.run wants a WebAssembly.Instance. This one passes, and swaps Go's
    // reference number 5, globalThis, at the moment the program begins.
    go.run(Object.create(WebAssembly.Instance.prototype, {exports: {value: {
      mem: exports.mem, resume: exports.resume, getsp: exports.getsp,
      run: (argc, argv) => {
        go._values[5] = global;
        go._ids.set(global, 5);
        exports.run(argc, argv);
      },
    }}})).catch(error => this.#ready.reject(error));
    await this.#ready.promise;
  }

  /** Withholds frames and timers: nothing of the program runs until unpark, but for calls. */
  park() { this.parked = this.#place.resting = true; }

  /** What it was started for is done: from now on it may have to make room for others. */
  arrived() {
    this.#place.arrived(() => {
      this.destroy();
      this.onevent({type: 'evicted'});
    });
  }

  unpark() {
    if (this.#dead) return;
    this.#place.used();
    if (!this.parked) return;
    this.parked = this.#place.resting = false;
    const frame = this.#heldFrame;
    this.#heldFrame = null;
    if (frame) requestAnimationFrame(frame);
    for (const timer of this.#heldTimers.splice(0)) setTimeout(timer);
  }

  /** Tells the program the canvas's size again, should the browser not have. */
  resize() {
    if (this.#dead || !this.#measure()) return;
    for (const listener of this.#resized) listener();
  }

  /** Ends the program and frees its graphics context. Nothing of it runs afterwards. */
  destroy() {
    this.#end();
    this.canvas?.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
    this.canvas?.remove();
  }

  #end() {
    this.#dead = true;
    this.parked = true;
    this.#place.leave();
    this.#ready.reject(new Error('The program was ended before it was ready.'));
    this.#observer?.disconnect();
    this.#unlisten.abort();
    this.#heldFrame = null;
    this.#heldTimers = [];
  }

  // ---- what the program sees ----

  /** The object that stands for globalThis, window and self. */
  #global() {
    const document = this.#document();
    const own = {
      document,
      devicePixelRatio: 1, // sizes are told in device pixels, see #body
      requestAnimationFrame: callback => this.#requestFrame(callback),
      ResizeObserver: class { observe() {} unobserve() {} disconnect() {} }, // see #watch
      location: {href: location.href, search: '', hash: '', reload() {}},
      parent: {location: {}},
      navigator: {getGamepads: () => [], userAgent: navigator.userAgent, language: navigator.language},
      // Ebitengine takes the getter of `hidden` off the prototype and binds it.
      Document: {prototype: Object.defineProperty({}, 'hidden', {configurable: true, get: () => globalThis.document.hidden})},
      addEventListener: (type, listener) => { if (type === 'resize') this.#resized.push(listener); },
      removeEventListener() {},
      groupscope_ready: () => { this.exports = own.groupscope; this.#ready.resolve(); },
    };
    const global = new Proxy(own, {
      get(_, key) {
        if (key in own) return own[key];
        const value = globalThis[key];
        // Functions of the window want it as `this`; classes do not.
        return typeof value === 'function' && /^[a-z]/.test(String(key)) ? value.bind(globalThis) : value;
      },
      has: (_, key) => key in own || key in globalThis,
      set(_, key, value) { own[key] = value; return true; },
    });
    own.window = own.self = own.globalThis = global;
    return global;
  }

  #document() {
    const style = () => ({setProperty() {}});
    return {
      body: this.#body(),
      head: {appendChild() {}},
      documentElement: {style: style()},
      hasFocus: () => document.hasFocus(),
      get hidden() { return document.hidden; },
      pointerLockElement: null,
      fullscreenElement: null,
      addEventListener() {},
      removeEventListener() {},
      exitPointerLock() {},
      createElement: name => {
        if (name !== 'canvas') return document.createElement(name);
        const canvas = this.#given ?? document.createElement(name);
        this.#given = null;
        this.#adopt(canvas);
        return canvas;
      },
    };
  }

  /**
   * The container, as the body. Its size is told in device pixels, and the
   * device pixel ratio is always 1: Ebitengine reads the ratio only once, so
   * it would not follow a zoom or a window that moves to another screen.
   */
  #body() {
    const container = this.#container, size = this.#size;
    return {
      style: {},
      get clientWidth() { return size.width; },
      get clientHeight() { return size.height; },
      appendChild: child => container.appendChild(child),
      removeChild: child => container.removeChild(child),
    };
  }

  /** Makes the program's canvas a plain picture: it takes no input, no focus, and no part in the Tab order. */
  #adopt(canvas) {
    this.canvas = canvas;
    const setAttribute = canvas.setAttribute.bind(canvas);
    canvas.setAttribute = (name, value) => { if (name !== 'tabindex') setAttribute(name, value); };
    canvas.focus = () => {};
    const addEventListener = canvas.addEventListener.bind(canvas);
    canvas.addEventListener = () => {};
    addEventListener('webglcontextlost', event => {
      event.preventDefault();
      if (!this.#dead) this.onevent({type: 'lost'});
    }, {signal: this.#unlisten.signal});
    setAttribute('aria-hidden', 'true');
    this.#watch();
  }

  // ---- size ----

  /** Follows the element's size and the device pixel ratio. */
  #watch() {
    const signal = this.#unlisten.signal;
    this.#observer = new ResizeObserver(entries => {
      const box = entries.at(-1).devicePixelContentBoxSize?.[0];
      this.#resizeTo(box && {width: box.inlineSize, height: box.blockSize});
    });
    try {
      this.#observer.observe(this.#container, {box: 'device-pixel-content-box'});
    } catch { // not every browser knows that box
      this.#observer.observe(this.#container);
    }
    addEventListener('resize', () => this.resize(), {signal});
    const follow = () => {
      if (signal.aborted) return;
      matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => { this.resize(); follow(); }, {once: true, signal});
    };
    follow();
  }

  #resizeTo(size) {
    if (this.#dead || !this.#measure(size)) return;
    for (const listener of this.#resized) listener();
  }

  /**
   * Takes the container's size in device pixels; true if it is another one.
   * The browser's own count of them is exact where pixels are split, but some
   * do not count along with an emulated ratio: it must agree with ours.
   */
  #measure(box) {
    const ratio = devicePixelRatio, {clientWidth, clientHeight} = this.#container;
    let width = Math.round(clientWidth * ratio), height = Math.round(clientHeight * ratio);
    if (box && Math.abs(box.width - width) <= ratio && Math.abs(box.height - height) <= ratio) ({width, height} = box);
    const changed = width !== this.#size.width || height !== this.#size.height;
    Object.assign(this.#size, {width, height});
    return changed;
  }

  // ---- frames, timers, output ----

  #requestFrame(callback) {
    const frame = time => {
      if (this.#dead) return;
      if (this.parked) { this.#heldFrame = frame; return; }
      this.frames++;
      callback(time);
    };
    if (this.parked) this.#heldFrame = frame; else requestAnimationFrame(frame);
    return 0;
  }

  /** Go's `runtime.scheduleTimeoutEvent`, but for timers that come due while parked: those wait. */
  #setTimer(sp) {
    const go = this.#go, memory = go.mem, id = go._nextCallbackTimeoutID++;
    const delay = memory.getInt32(sp + 8, true); // the low half: no timer here is as long as 24 days
    const fire = () => {
      if (this.#dead || go.exited) return;
      if (this.parked) { this.#heldTimers.push(fire); return; }
      while (go._scheduledTimeouts.has(id)) go._resume();
    };
    go._scheduledTimeouts.set(id, setTimeout(fire, delay));
    memory.setInt32(sp + 16, id, true);
  }

  /** Go's `runtime.wasmWrite`: kept for the report instead of the page's console. */
  #print(sp) {
    const memory = this.#go.mem;
    const at = memory.getUint32(sp + 16, true), length = memory.getInt32(sp + 24, true);
    const text = new TextDecoder().decode(new Uint8Array(memory.buffer, at, length));
    this.#output = (this.#output + text).slice(-16384);
  }

  /** Go runs no more after this; what the canvas shows stays. */
  #exited(code) {
    if (this.#dead) return;
    this.#ready.reject(new Error(`the program ended with code ${code}: ${this.#output.trim()}`));
    this.#end();
    this.onevent({type: 'exit', code, output: this.#output});
  }
}

/** A promise with its resolve and reject beside it. */
function promise() {
  const p = {};
  p.promise = new Promise((resolve, reject) => Object.assign(p, {resolve, reject}));
  return p;
}
