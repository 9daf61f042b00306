// What the page has to say. Loud things stand in the place of the controls they
// concern, quiet ones at the right end of the tab bar; nothing goes away by itself.

import { byId, count, el, fill, icon } from './dom.js';
import { copyText, saveText } from './export.js';

/**
 * @param {import('./session.js').Session} session
 * @param {{edit: (name: string, text: string) => void}} on
 */
export function notices(session, on) {
  const box = byId('notice');
  const note = byId('note');
  const main = box.closest('.main');
  /** What is true until it is taken back, by who said it. @type {Map<string, {text: string, action?: {label: string, run: () => void}}>} */
  const standing = new Map();

  /** Shows children in the place of caption, faults and transport. */
  function show(kind, ...children) {
    box.className = `under ${kind}`;
    fill(box, ...children);
    box.hidden = false;
    main.dataset.notice = kind;
  }

  function close() {
    box.hidden = true;
    box.removeAttribute('role');
    delete main.dataset.notice;
  }

  /** A quiet word at the end of the tab bar, with a way to close it. */
  function say(text, { alert = false, action, closed } = {}) {
    fill(note, alert ? el('span.alertbox', {}, icon('cross'), text) : el('span', {}, text),
      action && el('button.btn', { onclick: () => { hush(); action.run(); } }, action.label),
      el('button.icon', { 'aria-label': 'Close this note', onclick: () => { if (closed) closed(); hush(); } }, icon('cross')));
  }

  function hush() {
    note.replaceChildren();
    const [first] = standing;
    if (!first) return;
    const [who, word] = first;
    say(word.text, { action: word.action, closed: () => stand(who, null) });
  }

  /** A word that is true until it is taken back, by null: others may cover it, then it stands there again. */
  function stand(who, word) {
    if (word) standing.set(who, word);
    else standing.delete(who);
    hush();
  }

  function mistakes({ name, text, diagnostics }) {
    show('mistakes',
      head('The file was not opened', `${count(diagnostics.length, 'mistake')}. ${kept(session)}`,
        el('button.btn', { onclick: () => { close(); on.edit(name, text); } }, 'Edit it'),
        el('button.btn', { onclick: close }, 'Close')),
      el('ol.diag', { tabindex: 0, 'aria-label': 'Mistakes' }, diagnostics.map(diagnosis)));
  }

  function failed(message) {
    show('failed', head('Nothing was opened', '',
      !session.info && el('button.btn', { onclick: () => location.reload() }, 'Try again'), el('button.btn', { onclick: close }, 'Close')),
      el('p', {}, message), session.info && el('p.soft', {}, 'What you had is still above.'));
  }

  function gone(step) {
    const { info } = session;
    const last = info.stops.at(-1);
    show('gone',
      el('div.gone-head', {}, el('span.k', {}, info.stops[0]?.label ?? ''), el('h2', {}, `The link’s step ${step} is not in this scenario.`)),
      el('div.gone-cols', {},
        el('div', {}, el('p.soft', {}, 'What happened'), el('p', {}, 'The file may have changed after the link was made, or the link was mistyped.')),
        el('div', {}, el('p.soft', {}, 'So'), el('p', {}, 'It opened at the start, with the same board and rules.')),
        el('div', {}, el('p.soft', {}, 'Steps there are'), el('p', {}, `${info.stops[0]?.label} to ${last?.label} `,
          el('button.btn.small', { onclick: () => { close(); session.go(last.index); } }, `${last?.label}, the last`)))));
  }

  function broken(error) {
    const { report } = error;
    const label = session.position?.label ?? 'the start';
    const status = el('span.soft', { role: 'status' }, 'The file holds everything you did.');
    box.setAttribute('role', 'alert');
    show('stop',
      el('h2', {}, icon('cross'), el('b', {}, 'The program stopped')),
      el('p', {}, 'Groupscope broke one of its own rules. That is our fault, not the scenario’s. Above is the last good picture.'),
      el('dl', {},
        el('dt', {}, 'Rule'), el('dd', {}, error.message),
        report?.instant && [el('dt', {}, 'Instant'), el('dd.num', {}, `${report.instant}${report.step ? `, in step ${report.step}` : ''}`)],
        report?.seed !== undefined && [el('dt', {}, 'Seed'), el('dd.num', {}, report.seed)],
        report?.build && [el('dt', {}, 'Build'), el('dd', {}, report.build)]),
      el('div.acts', {},
        el('button.btn.primary', { onclick: () => session.reopen() }, `Reload and go to ${label}`),
        el('button.btn', { onclick: () => saveText(session.fileName(), session.lastText()) }, 'Save file'),
        el('button.btn', { onclick: async () => { status.textContent = await copyText(reportText(error)) ? 'Copied' : 'Not copied: the browser forbids it'; } }, 'Copy report'),
        status));
  }

  session.addEventListener('mistakes', (e) => mistakes(e.detail));
  session.addEventListener('failed', (e) => failed(e.detail.message));
  session.addEventListener('fetching', ({ detail: { what, stop } }) =>
    stand('fetching', what ? { text: `Fetching ${what}`, action: { label: 'Cancel', run: stop } } : null));
  session.addEventListener('broken', (e) => broken(e.detail.error));
  session.addEventListener('gone', (e) => gone(e.detail.step));
  session.addEventListener('refused', (e) => say(e.detail.message));
  session.addEventListener('opened', () => { close(); hush(); });
  session.addEventListener('position', () => { if (main.dataset.notice === 'gone' && session.position.stop !== 0) close(); });
  return { say, hush, stand, close };
}

function head(title, words, ...buttons) {
  return el('div.acts.head', {}, el('span.bad', {}, icon('cross')), el('b', {}, title), el('span.soft.grow', {}, words), ...buttons);
}

function kept(session) {
  return session.info ? 'What you had is still above.' : '';
}

/** @param {import('./bridge.js').Diagnostic} d */
function diagnosis(d) {
  const { before, middle, after } = cut(d);
  return el('li', {},
    el('code.where', {}, `${d.file}:${d.line}:${d.column}`),
    el('div', {},
      el('b', {}, told(d)),
      d.source && el('code.src', {}, before, el('b', {}, middle), after, '\n', before.replace(/[^\t]/g, ' '), el('span.caret', {}, '^'.repeat(Math.max(1, middle.length))))));
}

/** Cuts the source line at the mistake. Columns count code points, from 1. */
export function cut({ source, column, length }) {
  const letters = [...source];
  const start = Math.max(0, Math.min(letters.length, column - 1));
  const end = Math.min(letters.length, start + Math.max(1, length));
  return { before: letters.slice(0, start).join(''), middle: letters.slice(start, end).join(''), after: letters.slice(end).join('') };
}

/** The mistake and what was expected, as sentences. @param {import('./bridge.js').Diagnostic} d */
export function told(d) {
  if (!d.hint) return d.message;
  return /[.?!]$/.test(d.message) ? `${d.message} ${d.hint}` : `${d.message}. ${d.hint}`;
}

function reportText(error) {
  const { report } = error;
  return ['Groupscope stopped.', `Rule: ${error.message}`, ...Object.entries(report ?? {}).map(([k, v]) => `${k}: ${v}`)].join('\n');
}
