/**
 * Runs work while no other tab of this browser runs work of the same name. Without the Web Locks API, tabs can run it at
 * the same time, which is safe: the server accepts a repeated refresh and a repeated finishGame.
 */
export function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request(`tic-tac-toe.${name}`, work) : work();
}
