// Six marks for the first visit: a frame around the thing, a card beside it. It
// is offered once, and blocks nothing.

import { byId, el } from './dom.js';

const key = 'groupscope.toured';

/** Each mark says where it stands, by the parts of the board, or as a row under it; `tasks` is said of a streams group. */
const marks = [
  { title: 'Members, and what they believe', words: 'A row a member: its name, the epoch it knows, and the partitions it reads.', tasks: 'A row a thread: its name, the epoch it knows, and the tasks it runs. A line joins the threads of a process.', at: (b, group) => new DOMRect(rows().left, group.top, group.left - rows().left - 10, rows().bottom - group.top) },
  { title: 'What the coordinator holds', words: 'Left of it is what each client believes. The two can differ.', at: (b, group) => new DOMRect(group.left, b.top + 6, group.width, b.height - 12) },
  { title: 'A colour is an epoch', words: 'And its number stands beside it. Two colours in one row are a reconciliation in progress.', at: (b, group) => new DOMRect(group.right - 190, group.top, 190, rows().top - group.top - 6) },
  { title: 'Hatched is being given up', words: 'A lock waits for it. No partition has two owners, so one lets go before the other gets.', tasks: 'A lock waits for it, dashed without one is free to take. No active task has two owners, so one lets go before the other gets.', at: () => around(onItsWay) },
  { title: 'The ladder is the time line', words: 'The line is the group’s epoch, grey is time spent reconciling. Click a step, or use the arrow keys.', outside: () => box('transport') },
  { title: 'Break it', words: 'Lose a message, crash a member, let a minute pass. It opens a branch, the scenario stays as it was.', outside: () => byId('faults').getBoundingClientRect() },
];

/** What is being given up, and what waits for it. */
const onItsWay = (r) => r.id.includes('/current/') && /give it up|waits (for|to have)/.test(r.title);

/** How many stops are tried, to find one that shows what the marks speak of. */
const TRIES = 12;

/**
 * Goes to a stop at which something is given up and waited for: K5 of the
 * worked example, or else the first one while members lag behind.
 *
 * @param {import('./session.js').Session} session
 */
async function toReconciling(session) {
  const { info } = session;
  const from = session.position?.stop ?? 0;
  if (info?.stops.some((s) => s.label === 'K5')) {
    await session.goTo('K5');
    return;
  }
  const behind = info?.stops.filter((s) => s.minMemberEpoch >= 0 && s.minMemberEpoch < s.groupEpoch) ?? [];
  for (const stop of behind.slice(0, TRIES)) {
    await session.goTo(stop.label);
    if (around(onItsWay)) return;
  }
  if (behind.length) await session.goTo(info.stops[from].label);
}

/**
 * @param {import('./session.js').Session} session
 */
export function tour(session) {
  let at = -1;
  /** The stop that the tour left, and the one it went to. */
  let left = { from: 0, to: 0 };
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
    // Where nothing is given up the words must do.
    const from = session.position?.stop ?? 0;
    await toReconciling(session);
    left = { from, to: session.position?.stop ?? 0 };
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
    words.textContent = (session.info?.protocol === 'streams' && marks[i].tasks) || marks[i].words;
    count.textContent = `${i + 1} of ${marks.length}`;
    next.textContent = i === marks.length - 1 ? 'Done' : 'Next';
    place();
    next.focus({ preventScroll: true });
  }

  function place() {
    const frame = grow(where(marks[at]), 4);
    Object.assign(spot.style, { left: `${frame.left}px`, top: `${frame.top}px`, width: `${frame.width}px`, height: `${frame.height}px` });
    spot.hidden = frame.width < 10;
    const corner = beside(frame, card.offsetWidth, card.offsetHeight);
    Object.assign(card.style, { left: `${corner.left}px`, top: `${corner.top}px` });
  }

  function end() {
    removeEventListener('resize', place);
    spot.remove();
    card.remove();
    byId('board').focus?.({ preventScroll: true });
    // Back to where one was, unless one went on meanwhile.
    if (left.from !== left.to && session.position?.stop === left.to) session.go(left.from);
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

/** The box of a mark. On a phone the board has another form, cards: there the frame is around all of it. */
function where(mark) {
  if (mark.outside) return mark.outside();
  const board = box('board');
  const group = around((r) => r.id === 'group');
  if (board.width < 720 || !group || !rows()) return board;
  return mark.at(board, group) ?? board;
}

/** The rows of the members. */
function rows() {
  return around((r) => r.id.startsWith('member/'));
}

/** The box around parts of the board, null without any. */
function around(wanted) {
  const board = box('board');
  const parts = (byId('board').bridge?.regions() ?? []).filter(wanted);
  if (!parts.length) return null;
  const x = Math.min(...parts.map((r) => r.x));
  const y = Math.min(...parts.map((r) => r.y));
  const right = Math.max(...parts.map((r) => r.x + r.w));
  const bottom = Math.max(...parts.map((r) => r.y + r.h));
  return new DOMRect(board.left + x, board.top + y, right - x, bottom - y);
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
