/**
 * Runs the work while no other tab of this browser runs work of the same name. A browser without locks still gets the
 * work done, each tab for itself: the server takes a second refresh and a second finishGame as the first.
 */
export function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  // What a lock's request answers is typed as possibly a promise of a promise, which `await` would flatten anyway.
  return navigator.locks ? (navigator.locks.request(`tic-tac-toe.${name}`, work) as Promise<T>) : work();
}
