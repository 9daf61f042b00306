// The element itself: what is open, what is shown, and what it tells the page.
// What a page may use of it is written down in ../groupscope.js.

import { BridgeError } from '../bridge.js';
import { NoRoom } from '../places.js';
import { commands, quietly } from './commands.js';
import { equivalent } from './equivalent.js';
import { Opening, placeOf } from './opening.js';
import { Player } from './player.js';
import { Presentation } from './present.js';
import { Shell } from './shell.js';
import { absent, find, fromMarkup, pageFor, preview } from './stills.js';
import { hiddenTab, Surroundings } from './surroundings.js';
import { download, Trouble } from './trouble.js';
import { BoardView } from './view.js';

export class GroupScope extends HTMLElement {
  static observedAttributes = ['scenario', 'src', 'step', 'board', 'controls', 'theme', 'rules', 'layout'];

  #shell;
  #surroundings;
  #presentation = new Presentation(this);
  #view;
  #trouble;
  #state = 'still';
  #player = null;
  #starting = null;      // the program on its way
  #opening;              // the attributes' scenario on its way
  #abort = null;
  #opened = null;        // {name, bytes} of what is open
  #info = null;
  #position = null;
  #caption = null;
  #visible = false;
  #bare = false;         // there is no still to show
  #began = false;        // it has started by itself, for autoplay or for want of a still

  constructor() {
    super();
    this.#shell = new Shell(this, commands(this, () => this.#cancel()), {
      regions: () => this.bridge?.regions() ?? [],
      hit: (x, y) => this.#state === 'live' ? this.bridge.hit(x, y) : undefined,
      choose: detail => this.#say('hit', detail),
    });
    this.#surroundings = new Surroundings(this, this.#shell.stage, {
      changed: () => { this.#shell.words.fit(); this.#dress(); },
      visible: visible => this.#seen(visible),
    });
    this.#view = new BoardView(this, this.#shell, this.#surroundings);
    this.#trouble = new Trouble(this, this.#shell, (type, detail) => this.#say(type, detail));
    this.#opening = new Opening({
      place: () => placeOf(this),
      opened: () => this.#opened,
      slow: name => { this.#shell.loading.fetching(name); this.#setState('loading'); },
      open: ({name, bytes}) => this.open(name, bytes, {rules: this.getAttribute('rules'), step: this.#trouble.missing || this.#position?.label || this.getAttribute('step')}),
      failed: (error, name) => this.#unopened(error, name),
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
      this.#cancel();
      this.#end();
    });
  }

  attributeChangedCallback(name, before, after) {
    if (before === after || !this.isConnected) return;
    switch (name) {
      case 'scenario': case 'src':
        this.#opened = this.#info = this.#position = null;
        this.#began = this.#bare = false;
        this.#opening.changed();
        if (this.#player) quietly(this.#opening.run()); else this.#showStill();
        break;
      case 'step':
        if (this.#info) quietly(this.seek(after ?? 0)); else this.#showStill();
        break;
      case 'rules':
        if (this.#info && after) quietly(this.call('rules', {name: after})); else this.#showStill();
        break;
      case 'board':
        if (!this.#info) this.#showStill();
        this.#dress();
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
    if (this.#opened && this.#gone) await this.redraw(); else await this.#program();
    if (!this.#info) await this.#opening.run();
    return this.bridge;
  }

  play() { return this.call('play'); }
  pause() { return this.call('pause'); }

  async seek(where) {
    await this.ready();
    const stop = typeof where === 'number' ? this.#info.stops[where < 0 ? this.#info.stops.length + where : where] : find(this.#info.stops, where);
    if (stop) return this.call('seek', {stop: stop.index});
    return this.call('seek', typeof where === 'number' ? {stop: where} : {step: String(where)}); // which refuses it in words
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
    const {player} = this;
    try {
      return await this.#show(name, bytes, rules, step);
    } catch (error) {
      if (this.#state === 'loading') this.#setState('still');
      throw error;
    } finally {
      player?.arrived();
    }
  }

  async #show(name, bytes, rules, step) {
    const info = this.#player.loadUnder(rules, name, bytes);
    this.#opened = {name, bytes};
    this.#view.reset();
    this.#shell.closePanel();
    this.#apply(info);
    const stop = step && find(info.stops, step);
    if (stop && stop.index !== info.position.stop) this.#apply(this.#player.call('seek', {stop: stop.index}));
    await this.#reveal();
    if (step && !stop) this.#trouble.gone(step);
    if (rules && rules !== info.rules) this.#trouble.noRules(rules, info.ruleTitle);
    this.#say('ready', {info: this.#info, position: this.#position});
    return this.#info;
  }

  /** Boots again where it stands: after a lost context, a stop, or when it had to make room. */
  async redraw() {
    const {bytes, name} = this.#opened ?? {};
    const kept = this.#trouble.kept();
    const rules = this.#info?.rules;
    const step = this.#trouble.goal();
    this.#end();
    if (name) await this.open(name, kept ?? bytes, {rules, step}); else await this.ready();
  }

  select(id) {
    this.#view.selected = id;
    this.#sendView();
  }

  changed() {
    if (!this.bridge || !this.#info) return;
    this.#player.wake();
    this.#apply(this.bridge.info());
  }

  present() { return this.#presentation.toggle(); }

  // ---- starting and ending the program ----

  /** There is a picture, but no program behind it any more. */
  get #gone() { return this.#state === 'lost' || this.#state === 'stopped'; }

  #program(asked = true) {
    if (this.#gone) this.#end();
    if (this.bridge) return Promise.resolve();
    return this.#starting ??= this.#start(asked).finally(() => { this.#starting = null; });
  }

  /** @param {boolean} asked  by a person or the page: then another program may have to make room */
  async #start(asked) {
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
      await player.start({signal, asked, onprogress: p => this.#shell.loading.progress(p)});
    } catch (error) {
      player.destroy();
      if (signal.aborted) {
        this.#shell.loading.cancelled();
        this.#setState('cancelled');
      } else {
        this.#setState('still');
        if (!(error instanceof NoRoom)) this.#trouble.unloaded(error);
      }
      throw error;
    }
    this.#player = player;
    player.activate(this.#visible && !document.hidden);
    if (player.drawing === 'svg') this.#trouble.note({text: 'drawn as a still', title: 'No WebGL2: drawn as a still, everything works', action: null});
  }

  #unopened(error, name) {
    if (this.#state !== 'stopped') this.#setState('still');
    this.#trouble.unopened(error, name);
    this.#player?.arrived();
  }

  /** Stops what is on its way. */
  #cancel() {
    this.#abort?.abort();
    if (!this.#opening.cancel()) return;
    this.#shell.loading.cancelled();
    this.#setState('cancelled');
    this.#player?.arrived();
  }

  #end() {
    this.#player?.destroy();
    this.#player = null;
    this.#info = null;
    this.#shell.showStill();
    this.#trouble.end();
    if (this.#state !== 'loading') this.#setState('still');
  }

  /** Swaps the still for the board, once the board stands. */
  async #reveal() {
    this.#sendView();
    const looked = new AbortController();
    const {player} = this;
    await Promise.race([player.drawn, hiddenTab(looked.signal)]);
    looked.abort();
    if (this.player !== player || this.#gone) return;
    performance.mark('groupscope:drawn');
    this.#shell.showLive();
    this.#setState('live');
  }

  // ---- when something is the matter ----

  #lost(why) {
    let picture;
    try {
      if (this.#info) this.bridge.call('seek', {stop: this.#position.stop}); // not half way to it
      picture = fromMarkup(this.bridge.svg());
    } catch { /* then the first still is what there is */ }
    this.#shell.showStill(picture);
    this.#setState('lost');
    if (this.#position && this.#info) {
      this.#position = {...this.#position, playing: false};
      this.#shell.transport.show(this.#info.stops, this.#position);
    }
    this.#trouble.lost(why);
  }

  #stop(error) {
    if (this.#state === 'stopped') return;
    this.#player.activate(false);
    this.#setState('stopped');
    this.#trouble.stopped(error, () => download(this.#opened?.name ?? 'scenario.yaml', this.#trouble.kept() ?? this.#opened?.bytes ?? new Uint8Array()));
  }

  // ---- what is on screen ----

  #apply(result) {
    if (result?.stops) {
      this.#info = result;
      this.#view.renew();
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
      this.#shell.describe(this.#info, this.#caption);
      this.#shell.table.replaceChildren(...equivalent(this.bridge.snapshot()));
      this.#shell.transport.link.href = pageFor(placeOf(this) ?? {}, position.step || position.label, this.#info.rules);
      this.#shell.regions.refresh();
      this.#sendView();
    }
    this.#say('position', position);
    if (another) this.#say('step', {position, caption: this.#caption});
  }

  /** Shows what was drawn when the site was built. */
  async #showStill() {
    const {scenario} = placeOf(this) ?? {};
    if (!scenario || this.bridge) return;
    try {
      const rules = this.getAttribute('rules'), wanted = this.getAttribute('step');
      const known = await preview(scenario, {rules, step: wanted, board: this.getAttribute('board'), width: this.clientWidth});
      if (this.#info || placeOf(this)?.scenario !== scenario) return;
      this.#shell.closePanel();
      this.#shell.showStill(known.picture);
      if (known.height) this.#shell.like(known.height, 0);
      this.#position = known.position;
      this.#shell.transport.show(known.stops, this.#position);
      this.#shell.transport.link.href = pageFor({scenario}, this.#position.step || this.#position.label, rules);
      this.#shell.words.show(known.caption);
      if (known.gone) this.#trouble.gone(wanted);
    } catch {
      const why = this.hasAttribute('hold') ? null : await absent(scenario);
      if (placeOf(this)?.scenario !== scenario) return;
      if (why) return this.#trouble.unopened(why, scenario);
      this.#bare = true; // without a still the board loads when it is seen
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
    if (!this.#visible || this.#began || this.hasAttribute('hold') || !placeOf(this)) return;
    const autoplay = this.hasAttribute('autoplay') && !this.#surroundings.reducedMotion;
    if (!autoplay && !this.#bare && !placeOf(this).src) return;
    this.#began = true;
    quietly(this.#program(false).then(() => autoplay ? this.play() : this.ready()));
  }

  #dress() {
    this.#shell.dress();
    this.#sendView();
  }

  #sendView() {
    if (this.bridge && this.#info) this.#view.send(this.#player, this.#position?.stop);
  }

  // ---- small things ----

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
