// The editor: the scenario's text beside the board. It checks while one types;
// with mistakes in the text the board keeps the last version without one.

import { BridgeError } from './bridge.js';
import { byId, count, el, fill } from './dom.js';
import { saveText } from './export.js';
import { lineOf } from './highlight.js';
import { told } from './notices.js';

/** How long after the last letter the text is checked. */
const pauseMs = 300;

/**
 * @param {import('./session.js').Session} session
 * @param {{say: Function, hush: () => void}} notices
 */
export function editor(session, notices) {
  const section = byId('editor');
  const root = document.documentElement;
  const name = el('b');
  const changed = el('span.soft');
  const area = el('textarea', { 'aria-label': 'Scenario as YAML', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', wrap: 'off' });
  const paper = el('div.sheet2', {}, el('div.lines', { 'aria-hidden': 'true' }), area);
  const code = el('div.code', {}, paper);
  const problems = el('div.probs', { role: 'status' });
  const lines = paper.firstElementChild;
  const both = el('button', { 'aria-pressed': 'true', onclick: () => only(false) }, 'Board and text');
  const textOnly = el('button', { 'aria-pressed': 'false', onclick: () => only(true) }, 'Text only');
  section.append(
    el('div.bar3', {}, name, changed, el('span.grow'),
      el('div.seg.fold-only', { role: 'group', 'aria-label': 'View' }, both, textOnly),
      el('button.btn.undo', { onclick: () => { area.focus(); document.execCommand('undo'); } }, 'Undo'),
      el('button.btn', { onclick: save }, 'Save file')),
    code, problems);

  /** The text as it was opened or saved, and where it was from. */
  let base = { name: '', text: '', place: {} };
  /** @type {import('./bridge.js').Diagnostic[]} */
  let mistakes = [];
  let timer = 0;
  /** What stands in each line's element, so that only changed ones are made anew. */
  let drawn = [];

  function only(text) {
    root.classList.toggle('text-only', text);
    both.setAttribute('aria-pressed', String(!text));
    textOnly.setAttribute('aria-pressed', String(text));
  }

  /** Opens the editor, on the scenario on screen or on a text that was refused. */
  function open(fileName, text) {
    root.classList.add('editing');
    section.hidden = false;
    const given = text !== undefined;
    base = given ? { name: fileName, text, place: {} } : { name: session.fileName(), text: session.text(), place: session.acts().length ? {} : session.opened?.place ?? {} };
    area.value = base.text;
    mistakes = [];
    draw();
    if (given) check();
    else toStep();
    area.focus({ preventScroll: true });
    if (!given) area.setSelectionRange(0, 0);
  }

  function close() {
    clearTimeout(timer);
    if (area.value !== base.text && mistakes.length) keep();
    root.classList.remove('editing', 'text-only');
    section.hidden = true;
    byId('edit').focus();
  }

  /** A text with mistakes is not on the board, so it is kept for a way back. */
  function keep() {
    const kept = { name: base.name, text: area.value };
    notices.say(`Your changed ${kept.name} is kept.`, { action: { label: 'Back to it', run: () => open(kept.name, kept.text) } });
  }

  async function check() {
    clearTimeout(timer);
    const text = area.value;
    const place = text === base.text ? base.place : {};
    try {
      await session.openText(base.name, text, { place, rules: session.info?.rules, step: session.position?.label, quiet: true });
      mistakes = [];
      notices.hush();
    } catch (err) {
      if (!(err instanceof BridgeError) || err.kind !== 'diagnostics') throw err;
      mistakes = err.diagnostics;
      notices.say('last version without mistakes');
    }
    if (area.value === text) draw();
  }

  function draw() {
    name.textContent = base.name;
    changed.textContent = area.value === base.text ? '' : 'changed';
    const texts = area.value.split('\n');
    const [first, last] = stepLines(texts);
    const now = texts.map((text, i) => {
      const here = mistakes.filter((d) => d.line === i + 1);
      const on = i + 1 >= first && i + 1 <= last;
      return { key: `${on ? '*' : ''}${i}:${text}:${here.map((d) => d.column + d.message).join()}`, make: () => lineOf(text, i + 1, here, on) };
    });
    now.forEach((l, i) => {
      if (drawn[i] === l.key) return;
      if (lines.children[i]) lines.children[i].replaceWith(l.make());
      else lines.append(l.make());
    });
    while (lines.children.length > now.length) lines.lastElementChild.remove();
    drawn = now.map((l) => l.key);
    drawProblems();
  }

  function drawProblems() {
    if (!mistakes.length) {
      fill(problems, el('p.soft', {}, 'No mistakes. The board shows this text.'));
      return;
    }
    fill(problems,
      el('p.soft', {}, `${count(mistakes.length, 'mistake')}. The board shows the last version without one.`),
      el('ul', {}, mistakes.map((d) => el('li', {}, el('button', { onclick: () => goTo(d) }, el('code', {}, `${d.line}:${d.column}`), el('span', {}, told(d)))))));
  }

  /** The first and last line of the step on the board, where they stand in this text. */
  function stepLines(texts) {
    const { info, position, opened } = session;
    const line = info?.branch === 'main' ? info.stops[position.stop]?.line ?? 0 : 0;
    if (!line || !opened) return [0, -1];
    const shown = opened.text.split('\n');
    const next = Math.min(shown.length + 1, ...info.stops.map((s) => s.line).filter((l) => l > line));
    let last = next - 1;
    while (last > line && !shown[last - 1].trim()) last--;
    return shift(line, last, shown, texts);
  }

  function toStep() {
    lines.querySelector('.on')?.scrollIntoView({ block: 'center' });
  }

  function goTo(d) {
    const texts = area.value.split('\n');
    const before = texts.slice(0, d.line - 1).reduce((n, t) => n + t.length + 1, 0);
    const at = before + [...(texts[d.line - 1] ?? '')].slice(0, d.column - 1).join('').length;
    area.focus();
    area.setSelectionRange(at, at + Math.max(0, d.length));
    lines.children[d.line - 1]?.scrollIntoView({ block: 'nearest' });
  }

  function save() {
    saveText(base.name, area.value);
    base = { ...base, text: area.value, place: {} };
    draw();
  }

  area.addEventListener('input', () => {
    draw();
    clearTimeout(timer);
    timer = setTimeout(check, pauseMs);
  });
  area.addEventListener('keydown', (e) => {
    if (e.key === 'Enter' && !e.ctrlKey && !e.metaKey) {
      const indent = /^( *(?:- )?)/.exec(area.value.slice(0, area.selectionStart).split('\n').at(-1))[1].replace('-', ' ');
      if (indent && document.execCommand('insertText', false, `\n${indent}`)) e.preventDefault();
    } else if (e.key === 'Escape') {
      // Closes at once where nothing could be lost; else it first only leaves the text.
      e.preventDefault();
      if (area.value === base.text) close();
      else byId('close-editor').focus();
    } else if (e.key.toLowerCase() === 's' && (e.ctrlKey || e.metaKey)) {
      e.preventDefault();
      save();
    }
  });
  session.addEventListener('opened', () => {
    if (section.hidden || session.opened.text === area.value) return;
    if (area.value !== base.text) keep();
    base = { ...session.opened };
    area.value = base.text;
    mistakes = [];
    draw();
  });
  session.addEventListener('position', () => {
    if (!section.hidden) draw();
  });
  addEventListener('beforeunload', (e) => {
    if (!section.hidden && mistakes.length && area.value !== base.text) e.preventDefault();
  });
  byId('edit').addEventListener('click', () => open());
  byId('close-editor').addEventListener('click', close);
  return { open, close, get isOpen() { return !section.hidden; } };
}

/** Where lines of one text stand in another that differs in one place. */
function shift(first, last, from, to) {
  let same = 0;
  while (same < Math.min(from.length, to.length) && from[same] === to[same]) same++;
  let tail = 0;
  while (tail < Math.min(from.length, to.length) - same && from.at(-1 - tail) === to.at(-1 - tail)) tail++;
  const grown = to.length - from.length;
  return [first > from.length - tail ? first + grown : first, last > same ? last + grown : last];
}
