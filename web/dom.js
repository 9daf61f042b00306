// Making elements. Text always goes in as text, never as markup.

/**
 * Makes an element.
 *
 * @param {string} spec  tag and classes, for instance "button.btn.primary"
 * @param {Record<string, any>} [props]  `onclick` and friends become listeners, true and false
 *   switch an attribute, null and undefined leave it out, all else is set as an attribute
 * @param {...(Node|string|number|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function el(spec, props = {}, ...children) {
  const [tag, ...classes] = spec.split('.');
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(' ');
  if (tag === 'button') node.setAttribute('type', 'button');
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : String(value));
  }
  node.append(...present(children));
  return node;
}

/** Puts children into node in place of what is there. */
export function fill(node, ...children) {
  node.replaceChildren(...present(children));
}

/**
 * Like fill, but what is there and looks the same stays, so that a press that
 * began on it ends on it, and it keeps the focus. Only for children of which
 * equal ones do the same.
 */
export function renew(node, ...children) {
  const old = [...node.childNodes];
  for (const child of old) if (child.hidden) child.hidden = false;
  const focused = old.indexOf(document.activeElement);
  const next = present(children).map((child, i) => (old[i]?.isEqualNode?.(child) ? old[i] : child));
  for (const [i, child] of next.entries()) {
    if (child === old[i]) continue;
    if (old[i]) node.replaceChild(child, old[i]);
    else node.append(child);
  }
  for (const child of old.slice(next.length)) child.remove();
  if (focused >= 0 && next[focused] !== old[focused]) next[focused]?.focus?.();
}

/**
 * What draws once when this turn is over, however many causes it had in it.
 *
 * @param {() => void} draw
 */
export function gathered(draw) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      draw();
    });
  };
}

/** @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}

/** Children with the absent ones left out, so that `cond && el(...)` reads well. */
function present(children) {
  return children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false).map((c) => (typeof c === 'number' ? String(c) : c));
}

const shapes = {
  menu: 'M3 5h14v1.6H3zM3 9.2h14v1.6H3zM3 13.4h14V15H3z',
  sun: 'M10 6.2a3.8 3.8 0 1 1 0 7.6 3.8 3.8 0 0 1 0-7.6zM9.2 1.5h1.6v2.6H9.2zM9.2 15.9h1.6v2.6H9.2zM1.5 9.2h2.6v1.6H1.5zM15.9 9.2h2.6v1.6h-2.6zM3.4 4.5l1.1-1.1 1.9 1.9-1.1 1.1zM13.6 14.7l1.1-1.1 1.9 1.9-1.1 1.1zM3.4 15.5l1.9-1.9 1.1 1.1-1.9 1.9zM13.6 5.3l1.9-1.9 1.1 1.1-1.9 1.9z',
  moon: 'M11.5 2.5a7.6 7.6 0 1 0 6 10.3 6.4 6.4 0 0 1-6-10.3z',
  half: 'M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm0 1.6v12.8a6.4 6.4 0 1 0 0-12.8z',
  cross: 'M4.6 3.5L10 8.9l5.4-5.4 1.1 1.1L11.1 10l5.4 5.4-1.1 1.1L10 11.1l-5.4 5.4-1.1-1.1L8.9 10 3.5 4.6z',
  up: 'M10 4.5l7.5 11h-15z',
  down: 'M10 15.5L2.5 4.5h15z',
  left: 'M4.5 10l11-7.5v15z',
  right: 'M15.5 10l-11 7.5v-15z',
  clock: 'M10 2a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm0 1.6a6.4 6.4 0 1 0 0 12.8 6.4 6.4 0 0 0 0-12.8zM9.2 5h1.6v4.7l3 1.7-.8 1.4-3.8-2.2z',
  tick: 'M3.2 10.4l1.2-1.2 3.6 3.6 7.6-7.9 1.2 1.2L8 15.2z',
  more: 'M3 8.5h3v3H3zM8.5 8.5h3v3h-3zM14 8.5h3v3h-3z',
  picture: 'M2 4h16v12H2zm1.5 1.5v6l3.5-2.6 3 2 3.2-3.6 3.3 3V5.5zm0 8v1h13v-2l-3.2-3-3.1 3.5-3.2-2z',
};

/**
 * A 20 px icon in the colour of the text around it.
 *
 * @param {keyof typeof shapes} name
 */
export function icon(name) {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', 'glyph');
  const path = document.createElementNS(ns, 'path');
  path.setAttribute('d', shapes[name]);
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

/**
 * A sentence whose partition names stay whole: no line ends inside foo-2.
 *
 * @param {string} text
 * @returns {(string|HTMLElement)[]}
 */
export function sentence(text) {
  return text.split(/([\w.]+-\d+)/).map((part, i) => (i % 2 ? el('span.nobr', {}, part) : part));
}

/** A state of a member or a client as the board words it: UNREVOKED_PARTITIONS, or _TASKS, is Unrevoked. */
export function stateWord(state) {
  if (!/^[A-Z]+(_[A-Z]+)*$/.test(state)) return state;
  const word = state.replace(/_(PARTITIONS|TASKS)$/, '').replaceAll('_', ' ').toLowerCase();
  return word[0].toUpperCase() + word.slice(1);
}

/**
 * An epoch as it stands on the board: a number in its hue.
 *
 * @param {number} epoch
 */
export function pill(epoch) {
  return el(`span.pill.e${hue(epoch)}`, {}, epoch);
}

/** The entry of the epoch ramp: 1 to 8 in turn, 0 for what has no hue. */
export function hue(epoch) {
  return epoch > 0 ? ((epoch - 1) % 8) + 1 : 0;
}

/** Plural by count: count(1, 'mistake') is "1 mistake". */
export function count(n, word) {
  return `${n} ${word}${n === 1 ? '' : word.endsWith('ch') ? 'es' : 's'}`;
}
