// Six marks for the first visit: a frame around the thing, a card beside it. It
// is offered once, and blocks nothing.

import { byId, el } from './dom.js';

const key = 'groupscope.toured';

/** Each mark says where it stands: a share of the board, or a row under it. */
const marks = [
  { title: 'Members, and what they believe', words: 'A row a member: its name, the epoch it knows, and the partitions it reads.', at: (b) => part(b, 0, 0.16, 0.38, 0.66) },
  { title: 'What the coordinator holds', words: 'Left of it is what each client believes. The two can differ.', at: (b) => part(b, 0.392, 0, 0.608, 1) },
  { title: 'A colour is an epoch', words: 'And its number stands beside it. Two colours in one row are a reconciliation in progress.', at: (b) => part(b, 0.78, 0.02, 0.22, 0.22) },
  { title: 'Hatched is being given up', words: 'A lock waits for it. No partition has two owners, so one lets go before the other gets.', at: (b) => part(b, 0.48, 0.26, 0.25, 0.34) },
  { title: 'The ladder is the time line', words: 'The line is the group’s epoch, grey is time spent reconciling. Click a step, or use the arrow keys.', at: () => box('transport') },
  { title: 'Break it', words: 'Lose a message, crash a member, let a minute pass. It opens a branch, the scenario stays as it was.', at: () => byId('faults').getBoundingClientRect() },
];

/**
 * @param {import('./session.js').Session} session
 */
export function tour(session) {
  let at = -1;
  const spot = el('div.spot', { 'aria-hidden': 'true' });
  const title = el('h3');
  const words = el('p');
  const count = el('span.soft.num.grow');
  const next = el('button.btn.primary', { onclick: () => show(at + 1) });
  const card = el('div.coach', { role: 'dialog', 'aria-label': 'Show me around' }, title, words,
    el('div.acts', {}, count, el('button', { onclick: end }, 'Skip'), next));
  card.addEventListener('keydown', (e) => {
    if (e.key !== 'Escape') return;
    e.stopPropagation();
    e.preventDefault();
    end();
  });

  async function begin() {
    remember();
    // The worked example shows hatch and lock at this step; elsewhere the words must do.
    await session.goTo('K5');
    document.body.append(spot, card);
    addEventListener('resize', place);
    show(0);
  }

  function show(i) {
    if (i >= marks.length) {
      end();
      return;
    }
    at = i;
    title.textContent = marks[i].title;
    words.textContent = marks[i].words;
    count.textContent = `${i + 1} of ${marks.length}`;
    next.textContent = i === marks.length - 1 ? 'Done' : 'Next';
    place();
    next.focus({ preventScroll: true });
  }

  function place() {
    const board = box('board');
    const around = grow(marks[at].at(board), 4);
    Object.assign(spot.style, { left: `${around.left}px`, top: `${around.top}px`, width: `${around.width}px`, height: `${around.height}px` });
    spot.hidden = around.width < 10;
    const { left, top } = beside(around, card.offsetWidth, card.offsetHeight);
    Object.assign(card.style, { left: `${left}px`, top: `${top}px` });
  }

  function end() {
    removeEventListener('resize', place);
    spot.remove();
    card.remove();
    byId('board').focus?.({ preventScroll: true });
  }

  function remember() {
    try {
      localStorage.setItem(key, '1');
    } catch { /* then it is offered again next time */ }
  }

  return {
    begin,
    /** Whether this reader was asked already. */
    get known() {
      try {
        return localStorage.getItem(key) !== null;
      } catch {
        return true;
      }
    },
    remember,
  };
}

/** The box of a part of the element. */
function box(name) {
  const scope = byId('board');
  return (scope.shadowRoot?.querySelector(`[part~=${name}]`) ?? scope).getBoundingClientRect();
}

function part(b, x, y, w, h) {
  // On a phone the board has another form, cards: there the frame is around all of it.
  if (b.width < 720) return b;
  return new DOMRect(b.left + x * b.width, b.top + y * b.height, w * b.width, h * b.height);
}

/** Grown by a margin, and kept inside the window. */
function grow(b, by) {
  const left = Math.max(2, b.left - by);
  const top = Math.max(2, b.top - by);
  return new DOMRect(left, top, Math.min(innerWidth - 2, b.right + by) - left, Math.min(innerHeight - 2, b.bottom + by) - top);
}

/** Left, right, above or below: the first side with room; else at the bottom. */
function beside(b, w, h) {
  const gap = 12;
  const level = Math.max(gap, Math.min(b.bottom - h, innerHeight - h - gap));
  if (b.left >= w + 2 * gap) return { left: b.left - w - gap, top: level };
  if (innerWidth - b.right >= w + 2 * gap) return { left: b.right + gap, top: level };
  const left = Math.max(gap, Math.min(b.left, innerWidth - w - gap));
  if (b.top >= h + 2 * gap) return { left, top: b.top - h - gap };
  if (innerHeight - b.bottom >= h + 2 * gap) return { left, top: b.bottom + gap };
  return { left, top: innerHeight - h - gap };
}
