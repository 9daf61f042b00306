// The page: makes its parts and joins them.

import './groupscope.js';
import { parse } from './address.js';
import { branches } from './branches.js';
import { byId, icon } from './dom.js';
import { drawers } from './drawers.js';
import { editor } from './editor.js';
import { exportMenu } from './export.js';
import { faults } from './faults.js';
import { files } from './files.js';
import { frame } from './frame.js';
import { gallery, noList } from './gallery.js';
import { inspector } from './inspector.js';
import { invariants } from './invariants.js';
import { help, listen } from './keys.js';
import { links } from './links.js';
import { log } from './log.js';
import { openMenu } from './menu.js';
import { more } from './more.js';
import { notices } from './notices.js';
import { presentation } from './presentation.js';
import { ruleSwitch } from './rules.js';
import { Selection } from './selection.js';
import { Session } from './session.js';
import { makeTabs } from './tabs.js';
import { theme } from './theme.js';
import { tour } from './tour.js';

const scope = byId('board');
const session = new Session(scope);
const selection = new Selection(scope);
const notes = notices(session, { edit: (name, source) => text.open(name, source) });
const text = editor(session, notes);
const list = gallery(session);
const look = theme(byId('theme'), scope);
const inspect = inspector(session, selection);
const events = log(session, selection);
const acts = faults(session, selection);
const forks = branches(session);
const file = files(session);
const link = links(session, notes);
frame(scope);
invariants(scope);
const show = presentation();
const rules = ruleSwitch(session, notes);
more(scope.closest('main'), scope);
const round = tour(session);
const panels = drawers();

// Boards that later releases add stand here; each is a tab and a number key.
const boards = makeTabs(byId('boards'), scope, [{ id: 'group', label: 'Group' }, { id: 'topology', label: 'Topology' }],
  (id) => {
    board = id;
    scope.setAttribute('board', id);
    link.follow();
  });
/** The board that was asked for: a link may name one before its scenario is open. */
let board = parse(location).board ?? 'group';
boards.show('topology', false);
session.addEventListener('info', () => {
  const wanted = board;
  boards.show('topology', session.info.protocol === 'streams');
  boards.choose(wanted);
});
link.addEventListener('board', (e) => {
  board = e.detail.board;
  if (session.info) boards.choose(board);
});

/** The named stop before or after the one on screen. */
function bookmark(by) {
  const { info, position } = session;
  if (!info) return;
  const named = info.stops.filter((s) => s.step && (by > 0 ? s.index > position.stop : s.index < position.stop));
  const stop = by > 0 ? named[0] : named.at(-1);
  if (stop) session.go(stop.index);
}

function escape() {
  if (show.active) show.leave();
  else if (panels.isOpen) panels.close();
  else if (text.isOpen) text.close();
}

const step = (by) => session.opened && scope.step(by);

/** @type {import('./keys.js').Key[]} */
const keys = [
  { group: 'Play', caps: ['Space'], words: 'play, pause', runs: { Space: () => session.opened && (session.position.playing ? scope.pause() : scope.play()) } },
  { group: 'Play', caps: ['←', '→'], words: 'one step', runs: { ArrowLeft: () => step(-1), ArrowRight: () => step(1) } },
  { group: 'Play', caps: ['Home', 'End'], words: 'start, end', runs: { Home: () => session.info && session.go(0), End: () => session.info && session.go(session.info.stops.length - 1) } },
  { group: 'Play', caps: ['[', ']'], words: 'named step before, after', runs: { '[': () => bookmark(-1), ']': () => bookmark(1) } },
  { group: 'Play', caps: ['PgUp', 'PgDn'], words: 'remote: step back, on', runs: { PageUp: () => step(-1), PageDown: () => step(1) } },
  { group: 'Play', caps: ['.'], words: 'remote: blank the screen', runs: { '.': show.blank } },
  { group: 'Boards', caps: ['1'], words: 'group', runs: { 1: () => boards.choose('group') } },
  { group: 'Boards', caps: ['2'], words: 'topology, of a streams group', runs: { 2: () => boards.choose('topology') } },
  { group: 'By hand', caps: ['h'], words: 'heartbeat of the chosen member', runs: { h: () => session.info && acts.member() && session.act(`heartbeat: ${acts.member()}`) } },
  { group: 'By hand', caps: ['b'], words: 'next branch', runs: { b: forks.next } },
  { group: 'Page', caps: ['i'], words: 'choose what to inspect', runs: { i: () => { panels.reveal('inspect'); inspect.focus(); } } },
  { group: 'Page', caps: ['e'], words: 'editor', runs: { e: () => (text.isOpen ? text.close() : text.open()) } },
  { group: 'Page', caps: ['f'], words: 'presentation', runs: { f: show.toggle } },
  { group: 'Page', caps: ['?'], words: 'this list', runs: { '?': openHelp } },
  { group: 'Page', caps: ['Esc'], words: 'close what is open', runs: { Escape: escape } },
];
listen(keys);

function openHelp() {
  help(keys, { label: 'Show me around, 1 minute', run: round.begin }, session.info?.protocol === 'streams');
}

byId('copy-link').addEventListener('click', link.copy);
byId('export').addEventListener('click', (e) => exportMenu(e.currentTarget, session));
byId('present').addEventListener('click', show.enter);
byId('help').addEventListener('click', openHelp);

for (const id of ['menu-narrow', 'menu-medium']) {
  const button = byId(id);
  button.append(icon('menu'));
  button.addEventListener('click', () => openMenu(button, {
    groups: [
      id === 'menu-narrow' ? rules.entries() : [],
      [{ label: 'Open a file', run: file.pick }, { label: 'Edit this scenario', run: () => text.open() }],
      [{ label: 'Export', run: () => exportMenu(button, session) }, { label: 'Present', value: 'f', run: show.enter }],
      [{ label: `Theme: ${look.word()}`, run: look.next }, { label: 'Keys', value: '?', run: openHelp }],
    ],
  }));
}

// The element's quiet words stand at the end of the tab bar.
scope.addEventListener('note', (e) => {
  e.preventDefault();
  const { text: short, title, action } = e.detail;
  notes.stand('player', short ? { text: title || short, action } : null);
});
// What keeps it from starting is said once, in the place for that.
scope.addEventListener('error', (e) => {
  if (e.detail.error.kind) return;
  e.preventDefault();
  session.dispatchEvent(failure(e.detail.error.message));
});
session.addEventListener('info', () => { byId('title').textContent = session.info.title; });
session.addEventListener('opened', () => {
  selection.reset();
  panels.close(false);
});
selection.addEventListener('change', (e) => {
  if (e.detail.from === 'board' && e.detail.id !== 'group') panels.reveal('inspect');
});
// A second click on a member, or the other button, asks what can be done to it.
scope.addEventListener('contextmenu', (e) => {
  if (!session.info) return;
  e.preventDefault();
  acts.all(new DOMRect(e.clientX, e.clientY, 0, 0));
});

const failure = (message) => new CustomEvent('failed', { detail: { message } });

/** The still picture that the site was built with stands until the player runs. */
function still({ scenario, step: at, rules: wanted }) {
  scope.setAttribute('hold', '');
  if (at) scope.setAttribute('step', at);
  if (wanted) scope.setAttribute('rules', wanted);
  scope.setAttribute('scenario', scenario);
}

async function start() {
  const place = parse(location);
  const cards = list.load();
  cards.then(() => {
    if (!session.info && place.scenario) byId('title').textContent = list.card(place.scenario)?.title ?? '';
  });
  let trouble = null;
  const note = (e) => { trouble = e; };
  for (const type of ['failed', 'mistakes']) session.addEventListener(type, note);
  if (place.scenario) still(place);
  const named = place.scenario || place.src || place.file || place.local;
  if (!named || !await session.open(place)) {
    const [first] = await cards;
    if (first && !session.opened) {
      if (!named) still({ scenario: first.name });
      await session.open({ scenario: first.name, rules: place.rules });
    }
    if (!first && !trouble) trouble = failure(noList);
    // What went wrong with the link stays to be read, with a scenario above it.
    if (trouble) session.dispatchEvent(new CustomEvent(trouble.type, { detail: trouble.detail }));
  }
  for (const type of ['failed', 'mistakes']) session.removeEventListener(type, note);
  if (session.opened && !trouble && !named && !round.known) {
    notes.say('First time here?', { action: { label: 'Show me around', run: round.begin }, closed: round.remember });
  }
}
start();
