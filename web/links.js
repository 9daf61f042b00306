// The address follows what is on screen; a changed address opens what it names.

import { format, parse, sameScenario } from './address.js';
import { copyText } from './export.js';
import { el } from './dom.js';
import { pack, PackingError } from './packing.js';

/**
 * @param {import('./session.js').Session} session
 * @param {{say: (text: string) => void}} notices
 */
export function links(session, notices) {
  /** The packed text and what it was packed from. */
  let packed = { text: '', file: '' };
  /** Event `board` {board}: a link names another board. */
  const events = new EventTarget();
  let running = false;
  let again = false;

  /**
   * The place of what is on screen. What was done by hand travels as text.
   *
   * @throws {Error} when it is too large for a link, see tooLarge
   */
  async function place() {
    const { opened, info, position, scope } = session;
    const where = { step: position.label, board: scope.getAttribute('board') || 'group', rules: info.rules };
    const { scenario, src } = opened.place;
    const handmade = session.acts().length > 0;
    if ((scenario || src) && !handmade) return { scenario, src, ...where };
    const text = session.text();
    if (text !== packed.text) packed = { text, file: await pack(text) };
    // In the saved file the steps done by hand have other labels than on the branch.
    if (handmade) where.step = `@${position.stop}`;
    return { file: packed.file, name: session.fileName(), ...where };
  }

  async function address() {
    try {
      return format(await place());
    } catch (err) {
      if (!tooLarge(err)) throw err;
      return format({ local: session.fileName(), step: session.position.label, rules: session.info.rules });
    }
  }

  /** Writes the address; while one is being packed, the newest state waits its turn. */
  async function follow() {
    if (!session.opened || !session.info) return;
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      do {
        again = false;
        const hash = await address();
        if (hash !== location.hash) history.replaceState(history.state, '', hash);
      } while (again);
    } finally {
      running = false;
    }
    document.title = `${session.info.title}, ${session.position.label} · Groupscope`;
  }

  session.addEventListener('position', follow);

  addEventListener('hashchange', async (e) => {
    // Not what stands there by now: a step on its way may have written the address since.
    const wanted = parse({ hash: new URL(e.newURL).hash, search: '' });
    events.dispatchEvent(new CustomEvent('board', { detail: { board: wanted.board ?? 'group' } }));
    if (wanted.scenario || wanted.src || wanted.file || wanted.local) await goTo(wanted);
    else if (session.opened && (wanted.step || wanted.rules || wanted.board)) await goWithin({ rules: session.info.rules, ...wanted });
    follow();
  });

  /** @param {import('./address.js').Place} wanted */
  async function goTo(wanted) {
    const here = session.opened && sameScenario(session.opened.place, wanted) && session.acts().length === 0;
    if (here) await goWithin(wanted); else await session.open(wanted);
  }

  /** Another step or other rules of what is open. */
  async function goWithin(wanted) {
    // Without rules it means those the file names first, as in a page that opens anew.
    const rules = wanted.rules ?? session.info.ruleSets[0]?.name;
    if (rules && rules !== session.info.rules) await session.call('rules', { name: rules });
    if (wanted.step && !await session.goTo(wanted.step)) session.dispatchEvent(new CustomEvent('gone', { detail: { step: wanted.step } }));
  }

  return Object.assign(events, {
    /** Writes what is on screen into the address. */
    follow,
    /** Copies a link to what is on screen. */
    async copy() {
      if (!session.opened) return;
      try {
        const url = new URL(location.href);
        url.search = '';
        url.hash = format(await place());
        if (await copyText(url.href)) notices.say(`Link to ${session.position.label} copied`);
        else byHand(url.href);
      } catch (err) {
        if (!tooLarge(err)) throw err;
        notices.say(err.message);
      }
    },
  });
}

/** What is on screen does not fit into a link, or not into a file. */
function tooLarge(err) {
  return err instanceof PackingError || err.kind === 'refused';
}

/** Where the browser does not let us copy, the reader does. */
function byHand(url) {
  const input = el('input.field', { value: url, readonly: true, 'aria-label': 'Link' });
  const dialog = el('dialog.sheet', { 'aria-label': 'Copy link' }, el('h2', {}, 'Copy this link'), input,
    el('div.acts', {}, el('button.btn.primary', { onclick: () => dialog.close() }, 'Close')));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  input.select();
}
