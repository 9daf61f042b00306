// Letting the clients live for a while makes many stops at once. What is worth
// seeing of them begins where something changes, not at the last one.

/**
 * Acts by letting time pass, and shows what came of it: from the first new stop
 * at which something changed, on to the end. With reduced motion it stays there.
 *
 * @param {import('./session.js').Session} session
 * @param {string} action  "run: 60s"
 */
export async function live(session, action) {
  const before = session.position?.stop ?? 0;
  if (!await session.act(action)) return;
  const changed = session.scope.bridge.log().filter((l) => l.stop > before && l.kind !== 'idle').map((l) => l.stop);
  if (changed.length === 0) return;
  await session.go(Math.min(...changed));
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches && !session.position.atEnd) await session.call('play');
}
