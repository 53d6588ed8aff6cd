/**
 * Runs the work while no other tab of this browser runs work of the same name. A browser without locks still gets the
 * work done, each tab for itself: the server takes a second refresh and a second finishGame as the first.
 */
export function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request(`tic-tac-toe.${name}`, work) : work();
}
