// A menu that floats beside what opened it. It is a popover: it lies above all
// else, and a click elsewhere or Escape closes it.

import { el } from './dom.js';

/**
 * @typedef {object} Entry
 * @property {string} label
 * @property {string} [value]  at the right: a key, a value
 * @property {string} [reason]  why it cannot be done now; then the entry is disabled
 * @property {string} [hint]  one line under the label
 * @property {boolean} [checked]  for a choice: whether it is the one in force
 * @property {() => void} [run]
 */

/**
 * @param {Element|DOMRect} anchor  the menu stands below it, or above it where there is more room
 * @param {{title?: string, groups: Entry[][], wide?: boolean}} content
 */
export function openMenu(anchor, { title, groups, wide = false }) {
  const menu = el('div.menu', { role: 'menu', popover: 'auto', 'aria-label': title ?? 'Menu' });
  if (wide) menu.classList.add('wide');
  if (title) menu.append(el('h3', { role: 'presentation' }, title));
  groups.filter((g) => g.length).forEach((group, i) => {
    if (i > 0) menu.append(el('hr', { role: 'separator' }));
    menu.append(...group.map((entry) => item(entry, menu)));
  });
  document.body.append(menu);
  const opener = anchor instanceof Element ? anchor : document.activeElement;
  opener?.setAttribute?.('aria-expanded', 'true');
  menu.addEventListener('toggle', (e) => {
    if (e.newState !== 'closed') return;
    menu.remove();
    if (opener?.hasAttribute?.('aria-expanded')) opener.setAttribute('aria-expanded', 'false');
  });
  menu.addEventListener('keydown', (e) => move(e, menu));
  menu.showPopover();
  place(menu, anchor instanceof Element ? anchor.getBoundingClientRect() : anchor);
  (menu.querySelector('[aria-checked=true]') ?? enabled(menu)[0] ?? menu).focus();
}

function item(entry, menu) {
  const off = Boolean(entry.reason);
  const choice = entry.checked !== undefined;
  const button = el('button.entry', {
    role: choice ? 'menuitemradio' : 'menuitem',
    'aria-checked': choice ? String(entry.checked) : null,
    'aria-disabled': off ? 'true' : null,
    tabindex: -1,
    // One entry looks chosen, not two: the pointer takes the focus along.
    onpointermove: () => { if (document.activeElement !== button) button.focus({ preventScroll: true }); },
    onclick: () => {
      if (off) return;
      menu.hidePopover();
      entry.run?.();
    },
  }, el('span', {}, entry.label), entry.value && el('span.soft', {}, entry.value));
  const more = entry.reason ?? entry.hint;
  if (more) button.append(el('small', {}, more));
  return button;
}

function enabled(menu) {
  return [...menu.querySelectorAll('.entry:not([aria-disabled])')];
}

/** Arrows walk over all entries, disabled ones too, so that their reason can be read. */
function move(e, menu) {
  const all = [...menu.querySelectorAll('.entry')];
  const at = all.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[e.key];
  if (to === undefined) {
    if (e.key === 'Tab') menu.hidePopover();
    else if (e.key.length === 1 && /\S/.test(e.key)) jump(e.key.toLowerCase(), all, at);
    if (e.key !== 'Escape' && e.key !== 'Tab') e.stopPropagation();
    return;
  }
  e.preventDefault();
  e.stopPropagation();
  all[(to + all.length) % all.length]?.focus();
}

/** Typing a letter goes to the next entry that begins with it. */
function jump(letter, all, at) {
  const after = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  after.find((b) => b.textContent.trim().toLowerCase().startsWith(letter))?.focus();
}

function place(menu, box) {
  const gap = 6;
  const { offsetWidth: w, offsetHeight: h } = menu;
  const below = innerHeight - box.bottom - gap;
  const top = h <= below || below >= box.top ? Math.min(box.bottom + gap, innerHeight - h - gap) : Math.max(gap, box.top - gap - h);
  menu.style.left = `${Math.max(gap, Math.min(box.left, innerWidth - w - gap))}px`;
  menu.style.top = `${Math.max(gap, top)}px`;
}
