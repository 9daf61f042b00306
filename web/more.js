// A board that is higher than its room goes on under the words and keys: the
// edge where it does is soft, until one has scrolled to its end.

/**
 * @param {HTMLElement} main  what scrolls
 * @param {HTMLElement} scope
 */
export function more(main, scope) {
  const tell = () => scope.toggleAttribute('data-more', main.scrollHeight - main.scrollTop - main.clientHeight > 8);
  main.addEventListener('scroll', tell, { passive: true });
  const sizes = new ResizeObserver(tell);
  sizes.observe(main);
  sizes.observe(scope);
}
