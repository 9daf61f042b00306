// The element's keys: heard only while the focus is inside it.

/** The boards that the digits switch to, in order. */
const boards = ['group', 'topology'];

/** What the help says. */
export const help = [
  [['Space'], 'play or pause'],
  [['←', '→'], 'one step'],
  [['Home', 'End'], 'to the start, to the end'],
  [['f'], 'fill the screen'],
  [['.'], 'blank the board'],
  [['↑', '↓'], 'parts of the board, once it has the focus'],
];

/**
 * @param {KeyboardEvent} event
 * @param {{toggle: () => void, step: (by: number) => void, seek: (stop: number) => void, board: (name: string) => void, present: () => void, blank: () => void, help: () => void}} commands
 * @param {boolean} alone  false inside the full page, which has keys of its own for all but playing
 */
export function press(event, commands, alone) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.composedPath()[0];
  if (target.closest?.('input, textarea, select, [contenteditable], dialog')) return;
  if (event.key === ' ' && target.closest?.('button, [role=button]')) return;
  const run = command(event.key, target, commands, alone);
  if (!run) return;
  event.preventDefault();
  run();
}

function command(key, target, commands, alone) {
  const slider = target.getAttribute?.('role') === 'slider';
  switch (key) {
    case ' ': return commands.toggle;
    case 'ArrowRight': case 'PageDown': return () => commands.step(1);
    case 'ArrowLeft': case 'PageUp': return () => commands.step(-1);
    case 'ArrowUp': return slider && (() => commands.step(1));
    case 'ArrowDown': return slider && (() => commands.step(-1));
    case 'Home': return () => commands.seek(0);
    case 'End': return () => commands.seek(-1);
  }
  if (!alone) return null;
  switch (key) {
    case 'f': return commands.present;
    case '.': return commands.blank;
    case '?': return commands.help;
  }
  const board = boards[Number(key) - 1];
  return board && (() => commands.board(board));
}
