// Still pictures and facts of the gallery, made when the site was built: what
// an embed shows before any program is loaded.

const site = new URL('../', import.meta.url);

/** The layouts a still is made in, by the least width they need. */
const layouts = [[1200, 'wide'], [720, 'medium'], [560, 'embed'], [430, 'embedSmall'], [0, 'phone']];

/** @param {number} width  of the container, CSS pixels */
export function layoutFor(width) {
  return layouts.find(([least]) => width >= least)[1];
}

/**
 * @typedef {import('../bridge.js').Info & {captions: import('../bridge.js').Caption[]}} Facts
 */

/** What was fetched, by URL; the page's first script may have begun with some. @type {Map<string, Promise<string>>} */
const cache = globalThis.groupscopeFirst?.texts ?? new Map();
for (const [url, promise] of cache) promise.catch(() => cache.delete(url));

function text(path) {
  const url = new URL(path, site).href;
  if (!cache.has(url)) {
    const promise = fetch(url).then(response => {
      if (!response.ok) throw new Error(`${path}: the server answered ${response.status}`);
      return response.text();
    });
    promise.catch(() => cache.delete(url));
    cache.set(url, promise);
  }
  return cache.get(url);
}

/** What the gallery knows of a scenario without running it. @returns {Promise<Facts>} */
async function facts(scenario) {
  return JSON.parse(await text(`stills/${encodeURIComponent(scenario)}/info.json`));
}

/**
 * A step as an SVG element.
 * @param {string} scenario
 * @param {string} label  of the stop
 * @param {string} board  "" for the first one
 * @param {number} width  of the container
 */
async function still(scenario, label, board, width) {
  const markup = await text(`stills/${encodeURIComponent(scenario)}/${encodeURIComponent(label)}-${board && `${board}-`}${layoutFor(width)}.svg`);
  return fromMarkup(markup);
}

/**
 * The legend of the help, as a part of it: what tasks or partitions look like.
 * Without it the help has the keys alone.
 * @param {boolean} streams
 * @param {number} width  that there is room for
 */
export function looks(streams, width) {
  const box = document.createElement('div');
  box.className = 'looks';
  text(`looks/${streams ? 'tasks' : 'partitions'}-${width >= 640 ? 640 : 300}.svg`)
    .then(markup => box.append(fromMarkup(markup)), () => box.remove());
  return box;
}

/** A stop by its step's name, or else by its label. */
export function find(stops, name) {
  return stops.find(s => s.step === name) ?? stops.find(s => s.label === name);
}

/**
 * What is shown of a scenario before it runs, at a step or at the start.
 * @param {string} scenario
 * @param {{rules: string|null, step: string|null, board: string|null, width: number}} wanted
 * @throws when there is no still, or none under these rules
 */
export async function preview(scenario, {rules, step, board, width}) {
  const known = await facts(scenario);
  if (rules && rules !== known.rules) throw new Error(`no still under ${rules}`);
  const {stops} = known;
  const there = step ? find(stops, step) : undefined;
  const stop = there ?? stops[0];
  const picture = await still(scenario, stop.label, known.protocol === 'streams' && board === 'topology' ? board : '', width);
  const box = picture.firstElementChild?.viewBox?.baseVal;
  const ends = {atStart: stop.index === 0, atEnd: stop.index === stops.length - 1};
  return {
    picture, stops,
    height: box?.width ? box.height * Math.min(1, width / box.width) : 0,
    caption: known.captions[stop.index],
    position: {...known.position, stop: stop.index, label: stop.label, step: stop.step, playing: false, ...ends},
    gone: Boolean(step) && !there,
  };
}

/** Markup of our own making, as nodes. */
export function fromMarkup(markup) {
  const template = document.createElement('template');
  template.innerHTML = markup;
  return template.content;
}

const fileOf = ({scenario, src}) => scenario ? new URL(`scenarios/${encodeURIComponent(scenario)}.yaml`, site) : new URL(src, document.baseURI);

/** The name of a scenario file. */
export function nameOf(place) {
  const last = fileOf(place).pathname.split('/').pop();
  try {
    return decodeURIComponent(last) || 'scenario.yaml';
  } catch { // a % of its own
    return last;
  }
}

/**
 * The text of a scenario file.
 * @param {{scenario: string|null, src: string|null}} place
 * @param {AbortSignal} [signal]
 * @returns {Promise<{name: string, bytes: Uint8Array}>}
 */
export async function source(place, signal) {
  const {scenario} = place, name = nameOf(place);
  let response, bytes;
  try {
    response = await fetch(fileOf(place), {signal});
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch {
    signal?.throwIfAborted();
    throw new Error(`${name} could not be fetched: the server does not answer, or does not let this page read it`);
  }
  if (response.status === 404) throw new Error(scenario ? `There is no scenario “${scenario}” in the gallery.` : `${name}: there is no such file`);
  if (!response.ok) throw new Error(`${name}: the server answered ${response.status}`);
  return {name, bytes};
}

/** Why nothing can be loaded of a scenario, null if something can. @returns {Promise<Error|null>} */
export async function absent(scenario) {
  try {
    await source({scenario});
    return null;
  } catch (error) {
    return error;
  }
}

/** The full page, open at a step. */
export function pageFor({scenario, src}, step, rules) {
  const url = new URL('index.html', site);
  const place = new URLSearchParams();
  if (scenario) place.set('scenario', scenario);
  else if (src) place.set('src', new URL(src, document.baseURI).href);
  if (step) place.set('step', step);
  if (rules) place.set('rules', rules);
  url.hash = place;
  return url.href;
}
