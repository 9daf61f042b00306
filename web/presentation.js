// Presenting: the board, the sentence and the reason fill the screen.

import { byId } from './dom.js';

/** The element grows with the class on the root: see frame.js. */
export function presentation() {
  const root = document.documentElement;
  const blank = byId('blank');
  let opener = null;

  async function enter() {
    opener = document.activeElement;
    root.classList.add('presenting');
    byId('announce').textContent = 'Presentation. Escape ends it.';
    try {
      await root.requestFullscreen?.();
    } catch { /* it fills the window all the same */ }
  }

  function leave() {
    if (!active()) return;
    root.classList.remove('presenting');
    blank.hidden = true;
    if (document.fullscreenElement) document.exitFullscreen();
    opener?.focus?.();
  }

  /** A remote's key for a dark screen: the eyes go to the speaker. */
  function darken() {
    blank.hidden = !blank.hidden;
  }

  function active() {
    return root.classList.contains('presenting');
  }

  // The element has keys of its own for these; here the page is what fills the screen.
  document.addEventListener('keydown', (e) => {
    if (!active() || e.ctrlKey || e.metaKey || e.altKey) return;
    const run = { f: leave, '.': darken }[e.key];
    if (!run) return;
    e.preventDefault();
    e.stopPropagation();
    run();
  }, { capture: true });
  document.addEventListener('fullscreenchange', () => {
    if (!document.fullscreenElement) leave();
  });
  blank.addEventListener('click', () => { blank.hidden = true; });
  return {
    enter,
    leave,
    toggle: () => (active() ? leave() : enter()),
    blank: darken,
    get active() { return active(); },
  };
}
