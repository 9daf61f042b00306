// A row of tabs over one panel: arrows move, as in every tab list.

import { el, fill } from './dom.js';

let made = 0;

/**
 * @param {HTMLElement} list  gets the tabs
 * @param {HTMLElement} panel  what they switch
 * @param {{id: string, label: string}[]} tabs
 * @param {(id: string) => void} changed  called when another tab is chosen
 */
export function makeTabs(list, panel, tabs, changed) {
  const prefix = `tab${++made}`;
  let current = tabs[0].id;
  list.setAttribute('role', 'tablist');
  panel.setAttribute('role', 'tabpanel');
  panel.id ||= `${prefix}-panel`;
  const buttons = tabs.map(({ id, label }) => el('button', {
    role: 'tab', id: `${prefix}-${id}`, 'data-tab': id, 'aria-controls': panel.id, onclick: () => choose(id, true),
  }, label));
  fill(list, buttons);
  list.addEventListener('keydown', (e) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    const shown = buttons.filter((b) => !b.hidden);
    const at = shown.findIndex((b) => b.dataset.tab === current);
    const next = shown[(at + step + shown.length) % shown.length];
    choose(next.dataset.tab, true);
    next.focus();
  });

  function choose(id, tell) {
    current = id;
    for (const b of buttons) {
      const on = b.dataset.tab === id;
      b.setAttribute('aria-selected', String(on));
      b.tabIndex = on ? 0 : -1;
      if (on) panel.setAttribute('aria-labelledby', b.id);
    }
    if (tell) changed(id);
  }
  choose(current, false);
  return {
    get current() { return current; },
    /** Chooses a tab; one that is hidden, or that there is not, is left alone. @param {string} id */
    choose(id) {
      if (id !== current && buttons.some((b) => b.dataset.tab === id && !b.hidden)) choose(id, true);
    },
    /** Shows or hides one tab; a hidden one gives way to the first. */
    show(id, shown) {
      const b = buttons.find((x) => x.dataset.tab === id);
      b.hidden = !shown;
      if (!shown && current === id) choose(tabs[0].id, true);
    },
    /** @param {string} id @param {string} label */
    rename(id, label) {
      buttons.find((x) => x.dataset.tab === id).textContent = label;
    },
  };
}
