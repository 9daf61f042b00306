// Presenting: the element fills the screen, with big words and no keys.

export class Presentation {
  #host;
  #before = null; // the layout it had

  /** @param {HTMLElement} host */
  constructor(host) { this.#host = host; }

  async toggle() {
    if (this.#before !== null) {
      if (document.fullscreenElement) await document.exitFullscreen(); else this.#leave();
      return;
    }
    this.#before = this.#host.getAttribute('layout') ?? '';
    this.#host.setAttribute('layout', 'presentation');
    await this.#host.requestFullscreen?.().catch(() => {}); // it fills its box all the same
    document.addEventListener('fullscreenchange', this.#changed);
  }

  #changed = () => { if (!document.fullscreenElement) this.#leave(); };

  #leave() {
    document.removeEventListener('fullscreenchange', this.#changed);
    if (this.#before) this.#host.setAttribute('layout', this.#before); else this.#host.removeAttribute('layout');
    this.#before = null;
  }
}
