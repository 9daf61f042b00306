// The switch between the two rule sets. A file says which it was written for;
// it runs under the other too.

import { byId, el, fill } from './dom.js';

const known = [{ name: 'kip', title: 'KIP-848 text' }, { name: 'kafka', title: 'Kafka 4.4' }];

/**
 * @param {import('./session.js').Session} session
 */
export function ruleSwitch(session) {
  const box = byId('rules');

  /** The rule sets in their order, with whether the file was written for each. */
  function choices() {
    const own = session.info?.ruleSets ?? [];
    const all = [...known.map((k) => own.find((o) => o.name === k.name) ?? k), ...own.filter((o) => !known.some((k) => k.name === o.name))];
    return all.map((r) => ({ ...r, on: session.info?.rules === r.name, own: own.some((o) => o.name === r.name) }));
  }

  function draw() {
    const focused = box.contains(document.activeElement);
    fill(box, choices().map((r) => el('button', {
      role: 'radio', 'aria-checked': String(r.on), tabindex: r.on || !session.info ? 0 : -1,
      title: r.own || !session.info ? null : 'The file was not written for these rules. It runs all the same.',
      onclick: () => choose(r.name),
    }, r.title)));
    if (focused) box.querySelector('[aria-checked=true]')?.focus();
  }

  function choose(name) {
    if (session.info && session.info.rules !== name) session.call('rules', { name });
  }

  box.addEventListener('keydown', (e) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!by) return;
    e.preventDefault();
    const all = choices();
    const at = all.findIndex((r) => r.on);
    choose(all[(at + by + all.length) % all.length].name);
  });
  session.addEventListener('info', draw);
  draw();
  return {
    /** The same choice as entries of a menu. */
    entries: () => choices().map((r) => ({ label: r.title, checked: r.on, run: () => choose(r.name) })),
  };
}
