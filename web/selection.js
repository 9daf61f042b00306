// What the inspector is about: one thing on the board, by its id.

/**
 * Event `change` {id, from}: another thing was chosen; `from` says by what ("board", "list", "step").
 */
export class Selection extends EventTarget {
  /** @type {string} "group", "member/A", "partition/foo-2", "message/17" … */
  id = 'group';
  /** Until the reader chooses, it is the member that the step is about. */
  #chosen = false;

  /**
   * @param {any} scope  the <group-scope>
   */
  constructor(scope) {
    super();
    this.scope = scope;
    scope.addEventListener('hit', (e) => this.choose(e.detail.id || 'group', 'board', e.detail));
  }

  /**
   * @param {string} id
   * @param {"board"|"list"} from
   * @param {object} [hit]  where on the board it was
   */
  choose(id, from, hit) {
    this.id = id;
    this.#chosen = true;
    this.scope.select(id === 'group' ? '' : id);
    this.dispatchEvent(new CustomEvent('change', { detail: { id, from, hit } }));
  }

  /**
   * Goes along with the step, as long as the reader has chosen nothing.
   *
   * @param {string} id
   */
  follow(id) {
    if (this.#chosen || id === this.id) return;
    this.id = id;
    this.dispatchEvent(new CustomEvent('change', { detail: { id, from: 'step' } }));
  }

  /** Another scenario is open: what was chosen in the last one means nothing here. */
  reset() {
    this.#chosen = false;
    this.scope.select('');
    this.follow('group');
  }

  /** The thing itself, whichever of its places was chosen. */
  get thing() {
    return this.id.split('/').slice(0, 2).join('/');
  }

  /** The name of the member it is about, "" for none. */
  get member() {
    return this.id.startsWith('member/') ? this.id.slice('member/'.length) : '';
  }
}
