// The list of the scenarios that come with the page.

/**
 * @typedef {{name: string, title: string, summary: string, pack: string, rules: string[], steps: number, members: number, partitions: number}} Card
 */

/** @type {Promise<Card[]>|null} */
let fetched = null;

/**
 * Fetches the list, once.
 *
 * @returns {Promise<Card[]>} empty when there is none
 */
export function cards() {
  return fetched ??= read().catch(() => []); // no answer, or none of ours
}

async function read() {
  const response = await fetch('scenarios/index.json');
  return response.ok ? await response.json() : [];
}
