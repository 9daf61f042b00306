// The gallery: the scenarios that come with the page, by pack. Each is a plain link.

import { format } from './address.js';
import { cards as fetchCards } from './cards.js';
import { byId, el, fill } from './dom.js';

/** @typedef {import('./cards.js').Card} Card */

/** What there is to say without a list. */
export const noList = 'The list of scenarios could not be fetched. A file of yours still opens.';

/**
 * @param {import('./session.js').Session} session
 */
export function gallery(session) {
  const list = byId('scenarios').querySelector('.gal-list');
  /** @type {Map<string, HTMLElement>} */
  const links = new Map();
  let cards = [];

  function draw() {
    const packs = [...new Set(cards.map((c) => c.pack))];
    links.clear();
    fill(list, packs.map((pack) => el('section', {}, el('h2', {}, pack),
      el('ul', {}, cards.filter((c) => c.pack === pack).map(line)))));
    mark();
  }

  function line(card) {
    const link = el('a', { href: format({ scenario: card.name }), title: card.summary },
      el('span.gal-title', {}, card.title),
      el('small', {}, card.summary),
      el('small.gal-size', {}, `${card.steps} steps, ${card.members} members, ${card.partitions} partitions`));
    links.set(card.name, link);
    return el('li', {}, link);
  }

  function mark() {
    const open = session.opened?.place.scenario;
    for (const [name, link] of links) {
      if (name === open) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    reveal();
  }

  /** The open scenario in view, without moving the page, unless somebody is choosing. */
  function reveal() {
    const on = links.get(session.opened?.place.scenario ?? '');
    if (!on || list.matches(':hover, :focus-within')) return;
    const box = on.getBoundingClientRect();
    const frame = list.getBoundingClientRect();
    if (box.top < frame.top || box.bottom > frame.bottom) list.scrollTop += box.top - frame.top - (frame.height - box.height) / 2;
  }

  session.addEventListener('opened', mark);

  return {
    /**
     * Fetches the list.
     *
     * @returns {Promise<Card[]>} empty when there is none
     */
    async load() {
      cards = await fetchCards();
      if (cards.length) draw(); else fill(list, el('p.soft.pad', {}, noList));
      return cards;
    },
    /** @param {string} name @returns {Card|undefined} */
    card: (name) => cards.find((c) => c.name === name),
  };
}
