// The element itself: what is open, what is shown, and what it tells the page.
// What a page may use of it is written down in ../groupscope.js.

import { BridgeError, ErrorKinds } from '../bridge.js';
import { el } from '../dom.js';
import { equivalent } from './equivalent.js';
import { failed, mistakes, stopped } from './panels.js';
import { Player } from './player.js';
import { Presentation } from './present.js';
import { Shell } from './shell.js';
import { facts, fromMarkup, pageFor, source, still } from './stills.js';
import { Surroundings } from './surroundings.js';

export class GroupScope extends HTMLElement {
  static observedAttributes = ['scenario', 'src', 'step', 'board', 'controls', 'theme', 'rules', 'layout'];

  #shell;
  #surroundings;
  #presentation = new Presentation(this);
  #state = 'still';
  #player = null;
  #starting = null;      // the program on its way
  #opening = null;       // the attributes' scenario on its way
  #abort = null;
  #opened = null;        // {name, bytes} of what is open
  #info = null;
  #position = null;
  #caption = null;
  #selected = '';
  #visible = false;
  #bare = false;         // there is no still to show
  #began = false;        // it has started by itself, for autoplay or for want of a still
  #view = '';            // the last one sent
  #broken = null;        // the error that stopped the program
  #missing = '';         // the step asked for that is not there

  constructor() {
    super();
    this.#shell = new Shell(this, this.#commands(), {
      regions: () => this.bridge?.regions() ?? [],
      hit: (x, y) => this.#state === 'live' ? this.bridge.hit(x, y) : undefined,
      choose: detail => this.#say('hit', detail),
    });
    this.#surroundings = new Surroundings(this, this.#shell.stage, {
      changed: () => { this.#shell.words.fit(); this.#dress(); },
      visible: visible => this.#seen(visible),
    });
  }

  // ---- attributes and life ----

  connectedCallback() {
    this.#surroundings.watch();
    this.#dress();
    this.#showStill();
  }

  disconnectedCallback() {
    // Moved elsewhere in the page, it is connected again by now.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#surroundings.unwatch();
      this.#abort?.abort();
      this.#end();
    });
  }

  attributeChangedCallback(name, before, after) {
    if (before === after || !this.isConnected) return;
    switch (name) {
      case 'scenario': case 'src':
        this.#opened = this.#info = this.#position = null;
        this.#began = this.#bare = false;
        if (this.#player) this.#quietly(this.#openAttributes()); else this.#showStill();
        break;
      case 'step':
        if (this.#info) this.#quietly(this.seek(after ?? 0)); else this.#showStill();
        break;
      case 'rules':
        if (this.#info && after) this.#quietly(this.call('rules', {name: after})); else this.#showStill();
        break;
      default:
        this.#dress();
    }
  }

  // ---- what a page may read ----

  get state() { return this.#state; }
  get bridge() { return this.#player?.bridge ?? null; }
  get info() { return this.#info; }
  get position() { return this.#position; }
  get caption() { return this.#caption; }
  get drawing() { return this.#player?.drawing ?? null; }
  /** The running program, for tests and measuring. */
  get player() { return this.#player; }

  // ---- what a page may do ----

  async ready() {
    await this.#program();
    if (!this.#info) await this.#openAttributes();
    return this.bridge;
  }

  play() { return this.call('play'); }
  pause() { return this.call('pause'); }

  async seek(where) {
    await this.ready();
    const stop = typeof where === 'number' ? this.#info.stops[where < 0 ? this.#info.stops.length + where : where] : find(this.#info.stops, where);
    return this.call('seek', stop ? {stop: stop.index} : {step: String(where)});
  }

  step(by = 1) { return this.call('step', {by}); }

  async snapshot() {
    await this.ready();
    return this.bridge.snapshot();
  }

  async call(method, args) {
    await this.ready();
    const result = this.#player.call(method, args);
    this.#apply(result);
    return result;
  }

  async open(name, text, {rules, step} = {}) {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    await this.#program();
    const info = this.#load(name, bytes, rules);
    this.#opened = {name, bytes};
    this.#shell.closePanel();
    this.#apply(info);
    const stop = step && find(info.stops, step);
    if (stop && stop.index !== info.position.stop) this.#apply(this.#player.call('seek', {stop: stop.index}));
    await this.#reveal();
    if (step && !stop) this.#gone(step);
    this.#say('ready', {info: this.#info, position: this.#position});
    return this.#info;
  }

  #load(name, bytes, rules) {
    try {
      return this.#player.load(name, bytes, rules ? {rules} : {});
    } catch (error) {
      if (this.#state === 'loading') this.#setState('still');
      throw error;
    }
  }

  /** Boots again where it stands: after a lost context, or a stop. */
  async redraw() {
    const {bytes, name} = this.#opened ?? {};
    const kept = this.#kept();
    const rules = this.#info?.rules;
    const step = this.#goal();
    this.#end();
    if (name) await this.open(name, kept ?? bytes, {rules, step}); else await this.ready();
  }

  select(id) {
    this.#selected = id;
    this.#sendView();
  }

  changed() {
    if (!this.bridge || !this.#info) return;
    this.#player.wake();
    this.#apply(this.bridge.info());
  }

  present() { return this.#presentation.toggle(); }

  // ---- starting and ending the program ----

  #program() {
    if (this.#state === 'lost' || this.#state === 'stopped') return this.redraw();
    if (this.bridge) return Promise.resolve();
    return this.#starting ??= this.#start().finally(() => { this.#starting = null; });
  }

  async #start() {
    this.#shell.closePanel();
    this.#shell.loading.begin();
    this.#setState('loading');
    const {signal} = this.#abort = new AbortController();
    const player = new Player(this.#shell.live);
    player.addEventListener('position', event => this.#move(event.detail));
    player.addEventListener('end', () => this.#say('end', {position: this.#position}));
    player.addEventListener('error', event => this.#stop(new BridgeError(event.detail.error)));
    player.addEventListener('lost', event => this.#lost(event.detail.why));
    try {
      await player.start({signal, onprogress: p => this.#shell.loading.progress(p)});
    } catch (error) {
      player.destroy();
      if (signal.aborted) {
        this.#shell.loading.cancelled();
        this.#setState('cancelled');
      } else {
        this.#setState('still');
        this.#trouble(error, () => failed(error.message, () => this.#quietly(this.ready())));
      }
      throw error;
    }
    this.#player = player;
    player.activate(this.#visible && !document.hidden);
    if (player.drawing === 'svg') this.#note({text: 'drawn as a still', title: 'No WebGL2: drawn as a still, everything works', action: null});
  }

  /** Opens what the attributes name. */
  #openAttributes() {
    return this.#opening ??= this.#openPlace().finally(() => { this.#opening = null; });
  }

  async #openPlace() {
    const place = this.#place();
    if (!place) throw new Error('There is nothing to open: give the element a scenario or a src.');
    let name = '';
    try {
      const file = await source(place);
      name = file.name;
      await this.open(name, file.bytes, {rules: this.getAttribute('rules'), step: this.#missing || this.#position?.label || this.getAttribute('step')});
    } catch (error) {
      const again = () => this.#quietly(this.ready());
      const refused = error instanceof BridgeError && error.kind === ErrorKinds.diagnostics;
      if (this.#state !== 'stopped') this.#setState('still');
      this.#trouble(error, () => refused ? mistakes(name, error.diagnostics, {kept: this.#position?.label ?? '', close: null}) : failed(error.message, again));
      throw error;
    }
  }

  #end() {
    this.#player?.destroy();
    this.#player = null;
    this.#info = null;
    this.#broken = null;
    this.#shell.closePanel();
    this.#shell.showStill();
    this.#note({text: '', title: '', action: null});
    if (this.#state !== 'loading') this.#setState('still');
  }

  /** Swaps the still for the board, once the board stands. */
  async #reveal() {
    this.#sendView();
    const looked = new AbortController();
    await Promise.race([this.#player.drawn, hiddenTab(looked.signal)]);
    looked.abort();
    if (!this.#player) return;
    performance.mark('groupscope:drawn');
    this.#shell.showLive();
    this.#setState('live');
  }

  // ---- when something is the matter ----

  #lost(why) {
    let picture;
    try {
      picture = fromMarkup(this.bridge.svg());
    } catch { /* then the first still is what there is */ }
    this.#shell.showStill(picture);
    this.#setState('lost');
    if (why === 'context') this.#note({text: 'graphics lost', title: 'Graphics context lost', action: {label: 'Draw again', run: () => this.#quietly(this.redraw())}});
  }

  #stop(error) {
    if (this.#state === 'stopped') return;
    this.#player.activate(false);
    this.#broken = error;
    this.#setState('stopped');
    this.#trouble(error, () => stopped(error, {goal: this.#goal() || 'the start', reload: () => this.#quietly(this.redraw()), save: () => this.#save()}));
  }

  /** Shows a panel about an error, unless the page does. */
  #trouble(error, panel) {
    if (this.#say('error', {error})) this.#shell.showPanel(panel());
  }

  #gone(step) {
    this.#missing = step;
    const clear = () => {
      this.removeEventListener('step', clear);
      this.#missing = '';
      this.#shell.words.show(this.#caption);
    };
    this.#shell.words.instead(this.#position.label, `The link’s step ${step} is gone, this is the start.`, el('button.btn', {onclick: clear}, 'OK'));
    this.addEventListener('step', clear);
  }

  #note(note) {
    if (this.#say('note', note)) this.#shell.words.note(note.text ? note : null);
  }

  /** The step to go back to: the one on screen, or the one before it if that broke. */
  #goal() {
    const {stop = 0, label = ''} = this.#position ?? {};
    const broke = this.#broken?.report?.step === label;
    return broke ? this.#info?.stops[stop - 1]?.label ?? label : label;
  }

  /** The text of a branch that would be lost with the program, null for the file as it was. */
  #kept() {
    if (!this.#info || this.#info.branch === 'main') return null;
    try {
      return new TextEncoder().encode(this.bridge.save());
    } catch {
      return null;
    }
  }

  #save() {
    const bytes = this.#kept() ?? this.#opened?.bytes ?? new Uint8Array();
    const url = URL.createObjectURL(new Blob([bytes], {type: 'application/yaml'}));
    el('a', {href: url, download: this.#opened?.name ?? 'scenario.yaml'}).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  // ---- what is on screen ----

  #apply(result) {
    if (result?.stops) {
      this.#info = result;
      this.#view = ''; // another board may like another height
      this.#sendView();
      this.#say('info', result);
      this.#move(result.position, true);
    } else if (result && 'atEnd' in result) {
      this.#move(result);
    }
  }

  #move(position, anew = false) {
    const before = this.#position;
    this.#position = position;
    if (!this.#info || !this.bridge) return;
    this.#info.position = position;
    this.#shell.transport.show(this.#info.stops, position, Math.max(...this.#info.branches.map(b => b.stops)));
    const another = anew || before?.stop !== position.stop;
    if (another) {
      this.#caption = this.bridge.caption();
      this.#shell.words.show(this.#caption);
      this.#shell.live.setAttribute('aria-label', `Group board at ${position.label}. ${this.#caption.say}`);
      this.#shell.table.replaceChildren(...equivalent(this.bridge.snapshot()));
      this.#shell.transport.link.href = pageFor(this.#place() ?? {}, position.step || position.label, this.#info.rules);
      this.#shell.regions.refresh();
      this.#sendView();
    }
    this.#say('position', position);
    if (another) this.#say('step', {position, caption: this.#caption});
  }

  /** Shows what was drawn when the site was built. */
  async #showStill() {
    const {scenario} = this.#place() ?? {};
    if (!scenario || this.bridge) return;
    try {
      const known = await facts(scenario);
      if (this.#info || this.#place()?.scenario !== scenario) return;
      const rules = this.getAttribute('rules');
      if (rules && rules !== known.rules) throw new Error(`no still under ${rules}`);
      const wanted = this.getAttribute('step');
      const stop = wanted && find(known.stops, wanted) || known.stops[0];
      const picture = await still(scenario, stop.label, this.clientWidth);
      if (this.#info) return;
      const box = picture.firstElementChild?.viewBox?.baseVal;
      this.#shell.showStill(picture);
      if (box?.width) this.#shell.like(box.height * Math.min(1, this.clientWidth / box.width), 0);
      const last = known.stops.length - 1;
      this.#position = {...known.position, stop: stop.index, label: stop.label, step: stop.step, playing: false, atStart: stop.index === 0, atEnd: stop.index === last};
      this.#shell.transport.show(known.stops, this.#position);
      this.#shell.transport.link.href = pageFor({scenario}, stop.step || stop.label, rules);
      this.#shell.words.show(known.captions[stop.index]);
      if (wanted && !find(known.stops, wanted)) this.#gone(wanted);
    } catch { // without a still the board loads when it is seen
      this.#bare = true;
    }
    this.#begin();
  }

  #seen(visible) {
    this.#visible = visible;
    this.#player?.activate(visible && !document.hidden);
    this.#begin();
  }

  /** Starts by itself, once, where the page asked for that: to play, or for want of a still. */
  #begin() {
    if (!this.#visible || this.#began || this.hasAttribute('hold') || !this.#place()) return;
    const autoplay = this.hasAttribute('autoplay') && !this.#surroundings.reducedMotion;
    if (!autoplay && !this.#bare && !this.#place().src) return;
    this.#began = true;
    this.#quietly(autoplay ? this.play() : this.ready());
  }

  #dress() {
    this.#shell.dress();
    this.#sendView();
  }

  #sendView() {
    if (!this.bridge || !this.#info || !this.#shell.stage.clientWidth) return;
    const view = {
      width: this.#shell.stage.clientWidth, height: this.#shell.stage.clientHeight, scale: devicePixelRatio,
      theme: this.#surroundings.theme(this.getAttribute('theme')), board: this.getAttribute('board') ?? 'group',
      reducedMotion: this.#surroundings.reducedMotion, selected: this.#selected,
      presentation: this.getAttribute('layout') === 'presentation',
    };
    // On a narrow page the board's height follows the members there are at this stop.
    const text = JSON.stringify([view, this.getAttribute('layout') === 'page' && this.#position?.stop]);
    if (text === this.#view) return;
    this.#view = text;
    const {height, least} = this.#player.call('view', view);
    this.#shell.like(height, least);
    this.#shell.regions.refresh();
  }

  // ---- small things ----

  #place() {
    const scenario = this.getAttribute('scenario'), src = this.getAttribute('src');
    return scenario || src ? {scenario, src: scenario ? null : src} : null;
  }

  #commands() {
    return {
      toggle: () => this.#quietly(this.#position?.playing ? this.pause() : this.play()),
      step: by => this.#quietly(this.step(by)),
      seek: stop => this.#quietly(this.seek(stop)),
      speed: x => this.#quietly(this.call('speed', {x})),
      board: name => this.setAttribute('board', name),
      present: () => this.present(),
      wake: () => this.#quietly(this.#state === 'lost' ? this.redraw() : this.play()),
      load: () => this.#quietly(this.ready()),
      cancel: () => this.#abort?.abort(),
    };
  }

  /** For what a person did: the element has said what went wrong. */
  #quietly(promise) { promise.catch(() => {}); }

  #setState(state) {
    if (this.#state === state) return;
    this.#state = state;
    this.#shell.state(state);
    if (state === 'live' && this.#info) this.#shell.transport.show(this.#info.stops, this.#position);
    this.#say('state', {state});
  }

  /** @returns {boolean} false when the page said that it takes care itself */
  #say(type, detail) {
    return this.dispatchEvent(new CustomEvent(type, {detail, bubbles: true, composed: true, cancelable: type === 'error' || type === 'note'}));
  }
}

/** Resolves once nobody looks: a hidden tab draws nothing until it is looked at. */
function hiddenTab(signal) {
  return new Promise(resolve => {
    if (document.hidden) resolve();
    document.addEventListener('visibilitychange', () => { if (document.hidden) resolve(); }, {signal});
  });
}

/** A stop by its step's name, or else by its label. */
function find(stops, name) {
  return stops.find(s => s.step === name) ?? stops.find(s => s.label === name);
}
