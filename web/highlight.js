// The letters of the editor: keys bold, remarks in ink2, mistakes underlined.

import { el } from './dom.js';

/**
 * @typedef {import('./bridge.js').Diagnostic} Diagnostic
 * @typedef {{from: number, to: number, kind: "key"|"cm"}} Span
 */

/**
 * One line of text as elements.
 *
 * @param {string} text
 * @param {number} no  from 1
 * @param {Diagnostic[]} mistakes  those of this line
 * @param {boolean} on  whether it belongs to the step on the board
 */
export function lineOf(text, no, mistakes, on) {
  const body = el('span', {}, pieces(text, mistakes));
  if (mistakes.length) body.append(el('span.says', {}, mistakes.map((d) => d.message).join('  ')));
  return el(`div.line${on ? '.on' : ''}`, {}, el('span.no', {}, no), body);
}

/** Cuts the line where its looks change. Columns count code points, from 1. */
function pieces(text, mistakes) {
  const spans = spansOf(text);
  const letters = [...text];
  const offset = (column) => letters.slice(0, Math.max(0, column - 1)).join('').length;
  const wrong = mistakes.map((d) => ({ from: offset(d.column), to: offset(d.column + Math.max(1, d.length)) }));
  const cuts = new Set([0, text.length]);
  for (const s of [...spans, ...wrong]) for (const at of [s.from, s.to]) if (at <= text.length) cuts.add(at);
  const at = [...cuts].sort((a, b) => a - b);
  const out = [];
  for (let i = 0; i + 1 < at.length; i++) {
    const piece = text.slice(at[i], at[i + 1]);
    const kind = spans.find((s) => s.from <= at[i] && at[i + 1] <= s.to)?.kind;
    let node = kind ? el(`span.${kind}`, {}, piece) : document.createTextNode(piece);
    if (wrong.some((w) => w.from <= at[i] && at[i + 1] <= w.to)) node = el('u', {}, node);
    out.push(node);
  }
  // A mistake at the end of a line has no letter to stand under.
  if (wrong.some((w) => w.from >= text.length)) out.push(el('u', {}, ' '));
  return out;
}

/** @param {string} text @returns {Span[]} */
function spansOf(text) {
  const spans = [];
  const remark = remarkAt(text);
  const body = remark < 0 ? text : text.slice(0, remark);
  for (const m of body.matchAll(/(^\s*(?:- +)*|[{,]\s*)([\w.-]+)(?=:(\s|$))/g)) {
    const from = m.index + m[1].length;
    spans.push({ from, to: from + m[2].length, kind: 'key' });
  }
  if (remark >= 0) spans.push({ from: remark, to: text.length, kind: 'cm' });
  return spans;
}

/** Where a remark begins: a # at the start or after a space, outside quotes; -1 for none. */
function remarkAt(text) {
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quote) {
      if (c === quote) quote = '';
    } else if ((c === '"' || c === "'") && /[\s:,[{(]/.test(text[i - 1] ?? ' ')) quote = c;
    else if (c === '#' && (i === 0 || /\s/.test(text[i - 1]))) return i;
  }
  return -1;
}
