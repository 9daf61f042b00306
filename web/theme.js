// The theme: as the system has it, or chosen. First.js applied the choice before the first paint.

import { fill, icon } from './dom.js';

const order = ['auto', 'light', 'dark'];
const words = { auto: 'as the system', light: 'light', dark: 'dark' };
const icons = { auto: 'half', light: 'sun', dark: 'moon' };
const key = 'groupscope.theme';

/**
 * @param {HTMLElement} button  shows and changes the theme
 * @param {HTMLElement} scope  the <group-scope>, whose canvas needs to be told
 */
export function theme(button, scope) {
  let now = document.documentElement.dataset.theme ?? 'auto';

  function apply(next) {
    now = next;
    if (now === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = now;
    scope.setAttribute('theme', now);
    fill(button, icon(icons[now]));
    button.setAttribute('aria-label', `Theme: ${words[now]}`);
    button.title = `Theme: ${words[now]}`;
    try {
      if (now === 'auto') localStorage.removeItem(key);
      else localStorage.setItem(key, now);
    } catch { /* the choice then lasts as long as the page */ }
  }

  function next() {
    apply(order[(order.indexOf(now) + 1) % order.length]);
  }
  button.addEventListener('click', next);
  apply(now);
  return { next, word: () => words[now] };
}
