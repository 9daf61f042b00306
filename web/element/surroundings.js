// What an element depends on besides its attributes: its size, whether it can
// be seen, and what the reader asked of the system.

const queries = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)', '(prefers-reduced-motion: reduce)'];
const [dark, contrast, forced, still] = queries.map(q => matchMedia(q));

export class Surroundings {
  #size;
  #sight;
  #off = null;

  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} stage
   * @param {{changed: () => void, visible: (visible: boolean) => void}} on
   */
  constructor(host, stage, on) {
    this.host = host;
    this.stage = stage;
    this.on = on;
    this.seen = false;
    this.#size = new ResizeObserver(() => on.changed());
    this.#sight = new IntersectionObserver(entries => {
      this.seen = entries.at(-1).isIntersecting;
      on.visible(this.seen);
    });
  }

  watch() {
    if (this.#off) return;
    this.#off = new AbortController();
    const {signal} = this.#off;
    this.#size.observe(this.stage);
    this.#sight.observe(this.host);
    for (const query of [dark, contrast, forced, still]) query.addEventListener('change', () => this.on.changed(), {signal});
    document.addEventListener('visibilitychange', () => this.on.visible(this.seen), {signal});
    window.addEventListener('resize', () => this.on.changed(), {signal}); // a zoom need not change the element's size
    const ratio = () => {
      if (signal.aborted) return;
      matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => { this.on.changed(); ratio(); }, {once: true, signal});
    };
    ratio();
  }

  unwatch() {
    this.#off?.abort();
    this.#off = null;
    this.#size.disconnect();
    this.#sight.disconnect();
  }

  get reducedMotion() { return still.matches; }

  /** The palette in force for a theme attribute. */
  theme(attribute) {
    const night = attribute === 'dark' || attribute !== 'light' && dark.matches;
    const high = contrast.matches || forced.matches;
    return high ? (night ? 'hcDark' : 'hcLight') : (night ? 'dark' : 'light');
  }
}

/** Resolves once nobody looks: a hidden tab draws nothing until it is looked at. */
export function hiddenTab(signal) {
  return new Promise(resolve => {
    if (document.hidden) resolve();
    document.addEventListener('visibilitychange', () => { if (document.hidden) resolve(); }, {signal});
  });
}
