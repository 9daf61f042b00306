// The places for programs on one page. A program holds a graphics context, of
// which browsers give a page 16; with eight of them others stay free for the page.

const MAX_LIVE = 8;

/** @type {Set<Place>} in the order they were last used */
const taken = new Set();

/** Every place is taken by a program at work, and nobody asked for one more. */
export class NoRoom extends Error {}

/**
 * Takes a place before anything is fetched. If all are taken, the program used
 * longest ago makes room: one at rest, or, for what a person asked for, one
 * at work. One that is still on its way is waited for.
 * @param {{asked?: boolean, signal?: AbortSignal}} [options]  asked: a person did, or a call of the page
 * @returns {Promise<Place>}
 * @throws {NoRoom} if nobody asked and none is at rest
 */
export async function takePlace({asked = true, signal} = {}) {
  while (taken.size >= MAX_LIVE) {
    signal?.throwIfAborted();
    const there = [...taken].filter(place => place.evict);
    const victim = there.find(place => place.resting) ?? (asked ? there[0] : undefined);
    if (victim) victim.evict();
    else if (asked) await change(signal);
    else throw new NoRoom('Every place for a program on this page is taken.');
  }
  return new Place();
}

/** Those who wait for a place to be given back, or for its program to arrive. @type {Set<() => void>} */
const waiting = new Set();

function change(signal) {
  return new Promise((resolve, reject) => {
    const stop = () => { waiting.delete(go); reject(signal.reason); };
    const go = () => { signal?.removeEventListener('abort', stop); resolve(); };
    signal?.addEventListener('abort', stop, {once: true});
    waiting.add(go);
  });
}

function changed() {
  const all = [...waiting];
  waiting.clear();
  for (const go of all) go();
}

/** A place that is taken. */
export class Place {
  /** Whether its program runs nothing at the moment. */
  resting = false;
  /** Ends its program to make room, which gives the place back; null while it is on its way. @type {(() => void)|null} */
  evict = null;

  constructor() { taken.add(this); }

  /** Its program has arrived, and shows what it was started for. @param {() => void} evict */
  arrived(evict) {
    if (!taken.has(this)) return;
    this.evict = evict;
    changed();
  }

  /** Its program is wanted right now. */
  used() {
    if (taken.delete(this)) taken.add(this);
  }

  /** Gives it back. */
  leave() {
    if (taken.delete(this)) changed();
  }
}
