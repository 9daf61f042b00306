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

  function active() {
    return root.classList.contains('presenting');
  }

  document.addEventListener('fullscreenchange', () => {
    if (!document.fullscreenElement) leave();
  });
  blank.addEventListener('click', () => { blank.hidden = true; });
  return {
    enter,
    leave,
    toggle: () => (active() ? leave() : enter()),
    /** A remote's key for a dark screen: the eyes go to the speaker. */
    blank: () => { blank.hidden = !blank.hidden; },
    get active() { return active(); },
  };
}
