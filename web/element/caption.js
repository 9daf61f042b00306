// The words of the step on screen, in the three sizes the element has.

import { el, fill, icon } from '../dom.js';

/** @typedef {import('../bridge.js').Caption} Caption */

export class CaptionView {
  #spoken = '';
  #timer = 0;
  #note = null;
  #caption = null;
  #rule = '';

  constructor() {
    this.label = el('span.k');
    this.say = el('span.say');
    this.aside = el('span.aside');
    this.cause = column('Cause');
    this.decision = column('Decision');
    this.records = column('Records written');
    this.reason = el('p.reason');
    this.columns = el('div.columns', {}, this.cause.root, this.decision.root, this.records.root);
    this.root = el('section.caption', {part: 'caption', 'aria-label': 'What happens in this step'},
      el('h2', {}, this.label, this.say, this.aside), this.reason, this.columns);
    // Under which rules it happens, for whom does not say it elsewhere.
    this.rules = el('span.rules', {title: 'The rules that are played'});
    // What is spoken is apart from what is shown, so that playing does not flood.
    this.live = el('p.hidden', {'aria-live': 'polite'});
  }

  /** @param {Caption|null} caption */
  show(caption) {
    this.#caption = caption;
    const c = caption ?? {label: '', say: '', cause: '', decisions: [], records: [], invariants: []};
    this.label.textContent = c.label;
    this.rules.textContent = c.rulesTitle ?? '';
    // One decision is what the step is about; the log has them all.
    const main = c.decisions.find(d => d.main) ?? c.decisions.at(-1);
    this.reason.textContent = main?.text || c.cause;
    words(this.cause, c.cause || 'nothing');
    words(this.decision, main?.text || 'none', c.decisions.map(d => `${d.rule}: ${d.text}`).join('\n'));
    this.decision.head.title = this.#rule = main?.rule ?? '';
    words(this.records, c.records.map(r => r.text).join(', ') || 'none', c.records.map(r => `${r.short} ${r.text}`).join('\n'));
    this.#sentence(c.say);
    this.#marks();
    this.#speak([c.label, c.say, ...this.#wrong().map(i => i.text)].filter(Boolean).join('. '));
  }

  /** Words in the place of the sentence, until the next show. */
  instead(label, words, ...actions) {
    this.label.textContent = label;
    this.#sentence(words);
    this.reason.textContent = '';
    for (const c of [this.cause, this.decision, this.records]) fill(c.body);
    fill(this.aside, ...actions);
    this.#speak(words);
  }

  /** A quiet note at the right end of the sentence; null takes it back. */
  note(note) {
    this.#note = note;
    this.#marks();
  }

  #sentence(words) {
    this.say.textContent = this.say.title = words;
    this.fit();
  }

  /** A sentence too long for its line gets smaller type and more lines. */
  fit() {
    this.say.classList.remove('long');
    this.say.classList.toggle('long', this.say.scrollWidth > this.say.clientWidth);
    this.#fitRule();
    this.#fitLines();
  }

  /** The end of a rule's name tells more than its beginning, where there is no room for both. */
  #fitRule() {
    const {head} = this.decision;
    head.textContent = ['Decision', shortly(this.#rule)].filter(Boolean).join(': ');
    if (head.scrollWidth > head.clientWidth) head.textContent = `Decision: ${shortly(this.#rule).replace(/^group\.[a-z]+\./, '…')}`;
  }

  /** The columns have as many lines as the sentence above them leaves room for. */
  #fitLines() {
    const room = this.root.getBoundingClientRect().bottom - this.cause.body.getBoundingClientRect().top;
    const line = parseFloat(getComputedStyle(this.cause.body).lineHeight);
    if (room > 0 && line > 0) this.columns.style.setProperty('--gs-lines', Math.max(1, Math.floor((room + 0.5) / line)));
  }

  #wrong() { return this.#caption?.invariants.filter(i => !i.ok) ?? []; }

  #marks() {
    const n = this.#note;
    fill(this.aside,
      ...this.#wrong().map(i => el('span.alertbox', {part: 'violated', title: i.text}, icon('cross'), el('span', {}, i.text))),
      n && el('span.note', {title: n.title}, icon('picture'), n.text),
      n?.action && el('button.btn', {onclick: n.action.run}, n.action.label));
  }

  /** At most one announcement a second, the last one wins. */
  #speak(words) {
    if (!words || words === this.#spoken) return;
    this.#spoken = words;
    if (this.#timer) return;
    this.live.textContent = words;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      if (this.live.textContent !== this.#spoken) {
        const latest = this.#spoken;
        this.#spoken = '';
        this.#speak(latest);
      }
    }, 1000);
  }
}

/** Words that are cut after some lines, whole in the tool tip. */
function words(column, text, whole = text) {
  column.body.textContent = text;
  column.body.title = whole;
}

/** The rule without the document, which the rule set's name says already. */
function shortly(rule) { return rule.replace(/^KIP-\d+, /, ''); }

function column(title) {
  const head = el('h3', {}, title), body = el('div.body');
  return {root: el('div.column', {}, head, body), head, body};
}
