// <group-scope>: a Kafka consumer group at work, in any page.
//
//   <script type="module" src="…/groupscope.js"></script>
//   <group-scope scenario="kip-848-worked-example" step="K5"></group-scope>
//
// The element shows a still picture at once. The program (WebAssembly) is
// fetched only when the element is visible and somebody asks for it: by a
// click, a key, `play`, `autoplay`, or any method below.

/**
 * Attributes, all optional, all live unless said otherwise:
 *
 * | attribute  | value |
 * |------------|-------|
 * | `scenario` | name of a scenario of the gallery |
 * | `src`      | URL of a scenario file, instead of `scenario` |
 * | `step`     | name of the step to open at |
 * | `board`    | which board is drawn: `group` (default), or of a streams group `topology` |
 * | `controls` | `full` (keys, speed and ladder: the default of `layout="page"`), `line` (three keys and the short line: the default), `none` |
 * | `theme`    | `auto` (default), `light`, `dark`; high contrast follows the system |
 * | `rules`    | name of a rule set: `kip`, `kafka`; with another name it opens under the first of the file, and says so |
 * | `autoplay` | present: plays once it is in view (never under prefers-reduced-motion; not while eight others of the page are at work) |
 * | `layout`   | `embed` (default: everything inside the element's box, whose height the page's CSS may set), `page` (as tall as the board likes; caption in three columns, ladder), `presentation` (fills its box, big words, no keys) |
 * | `hold`     | present: keeps the still until asked, even when `autoplay` or `src` would boot |
 *
 * Properties (read only):
 *
 * - `state`: `"still"`, `"loading"`, `"live"`, `"lost"` (graphics context, or the ninth program on the page took its place; anything that needs it boots it again), `"stopped"` (the program broke), `"cancelled"`.
 * - `bridge`: the BridgeClient of the running program, null before it runs. For calls that only
 *   read (`info`, `caption`, `log`, `inspect`, `possible`, `snapshot`, `save`, …) use it as it is; for calls
 *   that change what is on screen use `call`, or call `changed()` after them.
 * - `info`, `position`, `caption`: as the bridge gives them, null before the program runs.
 * - `drawing`: `"canvas"`, or `"svg"` where there is no WebGL2.
 *
 * Methods; all but `changed` return promises and boot the program when they need it:
 *
 * - `ready()`                        → BridgeClient, once the scenario is open
 * - `play()`, `pause()`              → Position
 * - `seek(step)`                     → Position; a step's name or a stop's index
 * - `step(by = 1)`                   → Position
 * - `snapshot()`                     → what is on screen as data (the text equivalent)
 * - `open(name, source, {rules, step})` → Info; source is text or bytes. On mistakes it throws
 *   a BridgeError of kind `diagnostics`, and what was open stays on screen
 * - `call(method, args)`             → result of any bridge method, with the board redrawn and the events below sent
 * - `redraw()`                       → boots again after a lost context or a stop, at the step on screen
 * - `select(id)`                     marks a region as selected ("" for none)
 * - `changed()`                      tells the element that the program's state was changed behind its back
 * - `present()`                      toggles `layout="presentation"` and full screen
 *
 * Events (bubbling, composed; `detail` as given):
 *
 * | event      | detail |
 * |------------|--------|
 * | `ready`    | `{info, position}`: a scenario is open and drawn |
 * | `info`     | Info: another scenario, rule set or branch |
 * | `position` | Position: the stop changed, or playing did |
 * | `step`     | `{position, caption}`: another stop is on screen |
 * | `end`      | `{position}`: playback reached the last stop |
 * | `error`    | `{error}`: a BridgeError. Cancelable: preventDefault() keeps the element from showing it, the page then does |
 * | `hit`      | `{id, title, x, y, via: "pointer"|"keyboard"}`: a region was chosen; id "" for a click on nothing |
 * | `state`    | `{state}` |
 * | `note`     | `{text, title, action: {label, run}|null}`: a quiet word such as "drawn as a still"; text "" takes it back. Cancelable: preventDefault() and show it elsewhere, else it stands beside the sentence |
 *
 * Slots: `faults` (between caption and transport), `transport` (right end of the key row, such as a
 * branch menu), `rail` (under the ladder).
 *
 * Parts, for `::part()`: `board`, `caption`, `transport`.
 *
 * Size: the element is as wide as its place. Its height follows its width, unless the page's CSS sets
 * one; then the board takes what caption and keys leave. To keep the page from moving while the
 * module loads, set `display: block` and a height in the page's CSS.
 *
 * A board that has no room for all members (or, in a matrix, all partitions) has two keys on it that move
 * the part it shows; at each step that part goes to what changed. The wheel stays the page's.
 *
 * Keys, only while the focus is inside the element: space play or pause, ←/→ or PageUp/PageDown a step,
 * Home/End, `.` blanks the board (presenters' remotes), 1 to 6 boards, f presentation, ? the keys.
 */

import { GroupScope } from './element/scope.js';

if (!customElements.get('group-scope')) customElements.define('group-scope', GroupScope);

export { GroupScope };
