// The switch between the two rule sets. A file says which it was written for;
// it runs under the other too.

import { byId, el, fill } from './dom.js';

const known = [{ name: 'kip', title: 'KIP-848 text' }, { name: 'kafka', title: 'Kafka 4.4' }];

/** What a rule set is, for who wonders. */
const meanings = { kip: 'By the letter of the proposal', kafka: 'As a broker of release 4.4 does it' };

/**
 * @param {import('./session.js').Session} session
 * @param {{say: (text: string) => void, hush: () => void, stand: (who: string, word: object|null) => void}} notices
 */
export function ruleSwitch(session, notices) {
  const box = byId('rules');
  /** What is said about a file under rules that it was not written for. */
  let said = '';

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
      title: r.own || !session.info ? meanings[r.name] : 'The file was not written for these rules. It runs all the same.',
      onclick: () => choose(r.name),
    }, r.title)));
    if (focused) box.querySelector('[aria-checked=true]')?.focus();
  }

  /** A branch belongs to the rules it was opened under: under others one is where it forks. */
  async function choose(name) {
    const before = session.info;
    if (!before || before.rules === name) return;
    notices.hush();
    if (!await session.call('rules', { name })) return;
    if (before.branch === 'main' || session.info.branch !== 'main') return;
    await session.goTo(before.stops[fork(before)].label);
    notices.say(`The branch is kept under ${before.ruleTitle}.`);
  }

  /** Other rules may have the file's own words be false: then the program's stand there. */
  function foreign() {
    const { info } = session;
    const words = info.foreign ? `Written for ${info.ruleSets[0].title}: under ${info.ruleTitle} the words are the program’s own.` : '';
    if (words === said) return;
    said = words;
    notices.stand('rules', words ? { text: words } : null);
  }

  box.addEventListener('keydown', (e) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[e.key];
    if (!by) return;
    e.preventDefault();
    const all = choices();
    const at = all.findIndex((r) => r.on);
    choose(all[(at + by + all.length) % all.length].name);
  });
  session.addEventListener('info', () => {
    draw();
    foreign();
  });
  session.addEventListener('opened', () => { said = ''; });
  draw();
  return {
    /** The same choice as entries of a menu. */
    entries: () => choices().map((r) => ({ label: r.title, checked: r.on, run: () => choose(r.name) })),
  };
}

/** Index of the stop at which main was left for the branch on screen. */
function fork({ branch, branches }) {
  let b = branches.find((x) => x.id === branch);
  while (b.parent !== 'main') b = branches.find((x) => x.id === b.parent);
  return b.fork;
}
