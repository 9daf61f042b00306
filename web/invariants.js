// What holds at every stop, checked at the one on screen: three ticks with
// words. What is broken becomes an alert box.

import { byId, el, fill, icon } from './dom.js';

/**
 * @param {import('./bridge.js').Caption|null} caption
 * @returns {Node[]}
 */
export function marks(caption) {
  return (caption?.invariants ?? []).map(({ name, ok, text }) => (ok ? el('span.holds', {}, icon('tick'), name) : el('span.alertbox', {}, icon('cross'), text || name)));
}

/**
 * The strip at the right end of the tab bar.
 *
 * @param {any} scope  the <group-scope>
 */
export function invariants(scope) {
  scope.addEventListener('step', () => fill(byId('invariants'), marks(scope.caption)));
}
