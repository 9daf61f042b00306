// The address names what is on screen. Its words are those of the tag's attributes.

/**
 * Exactly one of scenario, src, file and local says where the scenario comes from.
 *
 * @typedef {object} Place
 * @property {string} [scenario]  a name in the gallery
 * @property {string} [src]  the URL of a file
 * @property {string} [file]  the packed text itself
 * @property {string} [local]  the name of a file that is too large for a link
 * @property {string} [name]  the file name that goes with `file`
 * @property {string} [step]  the label of a stop
 * @property {string} [board]
 * @property {string} [rules]
 */

const words = ['scenario', 'src', 'file', 'local', 'name', 'step', 'board', 'rules'];

/**
 * Reads the fragment and, for what it does not say, the query.
 *
 * @param {{hash: string, search: string}} location
 * @returns {Place}
 */
export function parse(location) {
  const hash = new URLSearchParams(location.hash.replace(/^#/, ''));
  const query = new URLSearchParams(location.search);
  /** @type {Place} */
  const place = {};
  for (const word of words) {
    const value = hash.get(word) ?? query.get(word);
    if (value) place[word] = value;
  }
  return place;
}

/**
 * @param {Place} place
 * @returns {string} the fragment, with its #
 */
export function format(place) {
  const parts = [];
  for (const word of words) {
    if (place[word]) parts.push(`${word}=${escape(place[word])}`);
  }
  return parts.length ? `#${parts.join('&')}` : '';
}

/** Says whether two places are the same scenario, whatever the step. */
export function sameScenario(a, b) {
  return a.scenario === b.scenario && a.src === b.src && a.file === b.file && a.local === b.local;
}

/** Like encodeURIComponent, but leaves readable what a fragment may hold. */
function escape(value) {
  return encodeURIComponent(value).replace(/%(2F|3A|2C|40|20)/g, (code) => (code === '%20' ? '+' : decodeURIComponent(code)));
}
