/**
 * Runs work while no other tab of this browser runs work of the same name. Without the Web Locks API, tabs can run it at
 * the same time, which is safe: the server accepts a repeated refresh and a repeated finishGame.
 */
export function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request(`tic-tac-toe.${name}`, work) : work();
}

/** A message to the other tabs of this browser about their shared session. */
export type TabMessage = 'signed in' | 'signed out';

export type Tabs = ReturnType<typeof createTabs>;

export function createTabs() {
  const channel = openChannel('session');
  return {
    broadcast: (message: TabMessage) => channel?.postMessage(message),
    onMessage: (listener: (message: TabMessage) => void) =>
      channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data)),
    oneAtATime,
  };
}

/** Null where the browser has no channels or blocks them: tabs then hear nothing of each other. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(`tic-tac-toe.${name}`);
  } catch {
    return null;
  }
}
