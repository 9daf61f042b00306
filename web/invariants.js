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
  const strip = byId('invariants');
  scope.addEventListener('step', () => {
    fill(strip, marks(scope.caption));
    if (strip.scrollWidth > strip.clientWidth) fill(strip, inShort(scope.caption));
    if (strip.scrollWidth > strip.clientWidth && strip.children.length > 1) strip.lastElementChild.remove(); // what is broken comes first
  });
}

/** Where not all names fit: what is broken, and how many hold. */
function inShort(caption) {
  const all = caption?.invariants ?? [];
  const hold = all.filter((i) => i.ok);
  const broken = marks({ ...caption, invariants: all.filter((i) => !i.ok) });
  const words = broken.length ? `${hold.length} others hold` : `All ${hold.length} invariants hold`;
  return [...broken, el('span.holds', { title: hold.map((i) => i.name).join(', ') }, icon('tick'), words)];
}
