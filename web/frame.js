// How much of the element is shown follows from what the page is doing: all of
// it, one sentence and a short line beside the editor, or big when presenting.

const folded = matchMedia('(max-width: 1199px)');

/** @param {HTMLElement} scope  the <group-scope> */
export function frame(scope) {
  const { classList } = document.documentElement;

  function apply() {
    const beside = classList.contains('editing') && folded.matches;
    set('layout', classList.contains('presenting') ? 'presentation' : beside ? 'embed' : 'page');
    set('controls', scope.getAttribute('layout') === 'page' ? 'full' : 'line');
  }

  /** An attribute that already says so is left alone: the element would draw anew. */
  function set(name, value) {
    if (scope.getAttribute(name) !== value) scope.setAttribute(name, value);
  }

  new MutationObserver(apply).observe(document.documentElement, { attributeFilter: ['class'] });
  folded.addEventListener('change', apply);
  apply();
}
