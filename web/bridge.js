// The bridge: the only module that touches what the program exports.
//
// A program that `host.js` has booted leaves one object, `groupscope`, in its
// private window: load, call and onevents. Results and events cross as JSON,
// files as bytes. Everything the page knows about the program stands here.

/**
 * What is open: the scenario, its stops and where playback stands.
 * @typedef {object} Info
 * @property {string} name       the file's name without its ending
 * @property {string} title
 * @property {string} summary
 * @property {"consumer"|"streams"} protocol
 * @property {string} rules      the rule set in force, by name
 * @property {string} ruleTitle  the same in words
 * @property {{name: string, title: string}[]} ruleSets  those it may run under, the file's own first
 * @property {boolean} [foreign]  the file was not written for the rules in force: the words are the program's own
 * @property {string} branch     id of the branch on screen; "main" is the file itself
 * @property {Branch[]} branches
 * @property {Stop[]} stops      of the branch on screen
 * @property {string[]} members
 * @property {Position} position
 * @property {Object<string, *>} config
 * @property {{events: number, records: number}} stats
 */

/**
 * @typedef {object} Branch
 * @property {string} id
 * @property {string} name
 * @property {string} parent  id, "" for main
 * @property {number} fork    index of the parent's stop it begins at
 * @property {number} stops
 */

/**
 * A place where stepping stops. An epoch of -1 means that there is none.
 * @typedef {object} Stop
 * @property {number} index
 * @property {string} label   "K5", "K5.2", "+1"
 * @property {string} step    name of the scripted step, "" for none
 * @property {string} say
 * @property {number} at      milliseconds since the start
 * @property {number} groupEpoch
 * @property {number} assignmentEpoch
 * @property {number} minMemberEpoch
 * @property {number} maxMemberEpoch
 * @property {boolean} violated
 * @property {number} line    in the file, 0 for what a person did
 */

/**
 * Where playback stands.
 * @typedef {object} Position
 * @property {number} stop
 * @property {string} label
 * @property {string} step
 * @property {number} at      milliseconds since the start
 * @property {boolean} playing
 * @property {number} speed
 * @property {boolean} atStart
 * @property {boolean} atEnd
 * @property {boolean} moving
 */

/**
 * The words of the step on screen.
 * @typedef {object} Caption
 * @property {string} label
 * @property {string} step
 * @property {string} say
 * @property {string} cause
 * @property {{rule: string, text: string, main: boolean}[]} decisions  main: the one that explains best
 * @property {{short: string, text: string}[]} records
 * @property {{name: string, ok: boolean, text: string}[]} invariants
 * @property {string} rulesTitle
 * @property {number} log       records in the log
 * @property {string} unowned   what nobody owns, "" for nothing
 */

/**
 * A mistake in a file.
 * @typedef {object} Diagnostic
 * @property {string} file
 * @property {number} line    from 1
 * @property {number} column  from 1
 * @property {number} length
 * @property {string} message
 * @property {string} hint
 * @property {string} source  the line it stands in
 */

/**
 * What a broken program tells about itself.
 * @typedef {object} Report
 * @property {number} [seed]
 * @property {string} [instant]
 * @property {string} [step]
 * @property {string} [build]
 * @property {string} [stack]
 */

/** A part of the board that answers to a pointer or to the keyboard.
 * @typedef {{id: string, title: string, x: number, y: number, w: number, h: number}} Region */

/**
 * How the board is to be drawn; lengths are CSS pixels.
 * @typedef {object} View
 * @property {number} width
 * @property {number} height
 * @property {number} scale            device pixels a CSS pixel
 * @property {"light"|"dark"|"hcLight"|"hcDark"} theme
 * @property {string} board            "group" or "topology", which is the group board where there is no topology
 * @property {boolean} reducedMotion
 * @property {string} selected         id of a region, "" for none
 * @property {boolean} presentation
 * @property {number} [firstRow]       of a board that has no room for all rows: the one to begin with
 * @property {number} [firstColumn]    the same for the partitions of a matrix
 * @property {boolean} [held]          the rows stay there, even if what changed is in another one
 */

/**
 * The part of a board's rows or columns that is shown where there is no room
 * for all. At x and y begins a place of 52 by 24 that the board keeps free for
 * two keys that move it.
 * @typedef {{first: number, shown: number, count: number, x: number, y: number}} Window
 */

/**
 * What a view comes to.
 * @typedef {object} Viewed
 * @property {number} height        the height the board would like at this width
 * @property {number} least         the least height at which no row is left out
 * @property {number} firm          the least height at which nothing is cut off that keys cannot reach
 * @property {Window|null} rows     null when all are shown
 * @property {Window|null} columns  null when all are shown, or the board has none
 */

/**
 * Something done by hand.
 * @typedef {object} Act
 * @property {number} stop    index of the stop it was done at, the last one before it
 * @property {string} label   of that stop
 * @property {string} action  one line of the file's vocabulary: after "- " it is a step of a file
 */

/** The kinds of events a program sends, at most one batch a frame. */
export const Events = Object.freeze({
  position: 'position', // the stop changed, or playing did: a Position
  moving: 'moving',     // {moving: false}: the last needed frame is drawn, the page may park
  end: 'end',           // playback reached the last stop
  error: 'error',       // {error}: as a BridgeError carries it
});

/** The kinds of wrong a call can end in. */
export const ErrorKinds = Object.freeze({
  diagnostics: 'diagnostics', // the file has mistakes; what was open stays
  refused: 'refused',         // not possible now, or no such thing; nothing changed
  usage: 'usage',             // the page called in a wrong way
  broken: 'broken',           // the program met a state it holds to be impossible
});

/** A call that did not work. The message is a sentence for people. */
export class BridgeError extends Error {
  /** @param {{kind: string, message: string, diagnostics?: Diagnostic[], report?: Report}} error */
  constructor(error) {
    super(error.message);
    this.name = 'BridgeError';
    this.kind = error.kind;
    /** @type {Diagnostic[]} */
    this.diagnostics = error.diagnostics ?? [];
    /** @type {Report|null} */
    this.report = error.report ?? null;
  }
}

/**
 * Talks to one running program. Calls return at once; a call that does not
 * work throws a BridgeError. The caller unparks the program before a call that
 * changes the picture (the element's `call` does so).
 */
export class BridgeClient {
  #exports;

  /**
   * @param {object} exports  the program's `groupscope` object
   * @param {(event: object) => void} onevent
   */
  constructor(exports, onevent) {
    this.#exports = exports;
    // The program calls this while it runs; what the page does about it may
    // call the program again, so it waits until this turn is over.
    exports.onevents = json => {
      const batch = JSON.parse(json);
      queueMicrotask(() => { for (const event of batch) onevent(event); });
    };
  }

  /**
   * Opens a scenario file. With mistakes in it what was open stays.
   * @param {string} name
   * @param {string|Uint8Array} source
   * @param {{rules?: string, step?: string}} [options]
   * @returns {Info}
   */
  load(name, source, options = {}) {
    const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source;
    return result(this.#exports.load(name, bytes, JSON.stringify(options)));
  }

  /**
   * Calls a method by name; the typed methods below are the ones to use.
   * @param {string} method
   * @param {object} [args]
   */
  call(method, args = {}) {
    return result(this.#exports.call(method, JSON.stringify(args)));
  }

  /** @returns {Info} */
  info() { return this.call('info'); }
  /** @param {{stop: number}|{step: string}} where @returns {Position} */
  seek(where) { return this.call('seek', where); }
  /** @param {number} by  steps forward animate @returns {Position} */
  step(by) { return this.call('step', {by}); }
  /** @returns {Position} */
  play() { return this.call('play'); }
  /** @returns {Position} */
  pause() { return this.call('pause'); }
  /** @param {number} x @returns {Position} */
  speed(x) { return this.call('speed', {x}); }
  /** @param {string} name @returns {Info} */
  rules(name) { return this.call('rules', {name}); }
  /** Acts, as one step of a file would: "crash: A". @param {string} action @returns {Info} */
  do(action) { return this.call('do', {action}); }
  /** What can be done to a target now. @param {string} target
   * @returns {{label: string, action: string, enabled: boolean, reason: string}[]} */
  possible(target) { return this.call('possible', {target}); }
  /** @param {string} id @returns {Info} */
  branch(id) { return this.call('branch', {id}); }
  /** @param {string} id @param {string} name @returns {Info} */
  rename(id, name) { return this.call('rename', {id, name}); }
  /** @param {string} id @returns {Info} */
  delete(id) { return this.call('delete', {id}); }
  /** What is on screen, as data; its keys are those of `expect` in a scenario. @returns {object} */
  snapshot() { return this.call('snapshot'); }
  /** @returns {Caption} */
  caption() { return this.call('caption'); }
  /** @returns {{stop: number, label: string, at: number, kind: string, text: string, member: string, error: string, event: number, count: number}[]} */
  log() { return this.call('log'); }
  /** What was done by hand on the branch on screen, under the rules on screen: what it inherits first, none on main. @returns {Act[]} */
  acts() { return this.call('acts'); }
  /** @param {string} id
   * @returns {{id: string, title: string, kind: string, sentence: string, rows: object[], request?: object, response?: object, records?: object[]}} */
  inspect(id) { return this.call('inspect', {id}); }
  /** @param {View} view @returns {Viewed} */
  view(view) { return this.call('view', view); }
  /** @param {number} x @param {number} y @returns {{id: string, title: string}|null} */
  hit(x, y) { return this.call('hit', {x, y}); }
  /** @returns {Region[]} in reading order */
  regions() { return this.call('regions'); }
  /** The board as SVG. @param {{standalone?: boolean, theme?: string}} [options] @returns {string} */
  svg(options = {}) { return this.call('svg', options); }
  /** Moves the player's clock; only for programs that do not draw. @param {number} ms @returns {{moving: boolean}} */
  advance(ms) { return this.call('advance', {ms}); }
  /** The branch on screen as a scenario file. @returns {string} */
  save() { return this.call('save'); }
  /** The picture as plain values, for tests. @returns {object} */
  scene() { return this.call('scene'); }
}

function result(json) {
  // A program that ends in the middle of a call, for want of memory, answers nothing.
  if (json === undefined) throw new BridgeError({kind: 'ended', message: 'The player ended while it worked on this: it may need more memory than there is.'});
  const r = JSON.parse(json);
  if (r.error) throw new BridgeError(r.error);
  return r.ok;
}
