// What the keys and buttons inside the element do.

/**
 * @param {import('./scope.js').GroupScope} scope
 * @param {() => void} cancel  stops a download
 */
export function commands(scope, cancel) {
  return {
    toggle: () => quietly(scope.position?.playing ? scope.pause() : scope.play()),
    step: by => quietly(scope.step(by)),
    seek: stop => quietly(scope.seek(stop)),
    speed: x => quietly(scope.call('speed', {x})),
    board: name => scope.setAttribute('board', name),
    present: () => scope.present(),
    wake: () => quietly(scope.state === 'lost' ? scope.redraw() : scope.play()),
    load: () => quietly(scope.ready()),
    cancel,
  };
}

/** For what a person did: the element has said what went wrong. */
export function quietly(promise) { promise.catch(() => {}); }
