/**
 * Runs work while no other tab of this browser runs work of the same name. Where the browser has no locks or refuses them,
 * tabs can run it at the same time, which is safe: the server accepts a repeated refresh and a repeated finishGame.
 */
export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  let begun: Promise<T> | undefined;
  try {
    return await navigator.locks.request(`tic-tac-toe.${name}`, () => (begun = work()));
  } catch {
    return begun ?? work();
  }
}

/** A message to the other tabs of this browser about their shared session. */
export type TabMessage = 'signed in' | 'signed out' | 'account_deleted';

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
