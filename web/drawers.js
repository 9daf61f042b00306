// Where there is no room for three columns, the outer ones are drawers: beside
// the board on a tablet, over its lower half on a phone.

import { byId, el, fill } from './dom.js';

const narrow = matchMedia('(max-width: 719px)');
const wide = matchMedia('(min-width: 1200px)');

export function drawers() {
  const root = document.documentElement;
  const homes = { scenarios: byId('scenarios'), inspect: byId('side'), events: byId('side'), faults: byId('faults') };
  const openers = [];
  let opener = null;

  function open(name) {
    root.dataset.drawer = name;
    for (const o of openers) o.button.setAttribute('aria-expanded', String(o.name === name));
    const target = homes[name].querySelector('a[aria-current], select, a, button, [tabindex="0"]');
    target?.focus({ preventScroll: true });
  }

  function close(back = true) {
    if (!root.dataset.drawer) return;
    delete root.dataset.drawer;
    for (const o of openers) o.button.setAttribute('aria-expanded', 'false');
    if (back) opener?.focus();
  }

  function toggle(name, button) {
    opener = button;
    if (root.dataset.drawer === name) close();
    else open(name);
  }

  function opens(button, name) {
    openers.push({ button, name });
    button.addEventListener('click', () => toggle(name, button));
  }

  const bottom = byId('bottom');
  fill(bottom, [['scenarios', 'Scenarios'], ['inspect', 'Inspect'], ['events', 'Events'], ['faults', 'Faults']].map(([name, label]) => {
    const button = el('button', { 'aria-expanded': 'false' }, label);
    opens(button, name);
    return button;
  }));
  opens(byId('open-scenarios'), 'scenarios');
  opens(byId('open-inspect'), 'inspect');

  for (const id of ['scenarios', 'side']) {
    byId(id).prepend(el('button.icon.close-drawer', { 'aria-label': 'Close', onclick: () => close() }, '×'));
  }
  wide.addEventListener('change', () => close(false));
  narrow.addEventListener('change', () => close(false));

  return {
    close,
    get isOpen() { return Boolean(root.dataset.drawer); },
    /** Shows a panel where it would not be seen otherwise. */
    reveal(name) {
      if (!wide.matches && root.dataset.drawer !== name) {
        opener = document.activeElement;
        open(name);
      }
    },
  };
}
