import { oneAtATime } from '../oneAtATime.js';

/** What one tab tells the others of this browser about the session they share. */
export type TabMessage = 'signed in' | 'signed out';

export interface Tabs {
  broadcast(message: TabMessage): void;
  onMessage(listener: (message: TabMessage) => void): void;
  oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** A browser without channels keeps a working page: a sign-out elsewhere is then noticed at the next refresh. */
export function createTabs(): Tabs {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('tic-tac-toe.session');
  return {
    broadcast: (message) => channel?.postMessage(message),
    onMessage: (listener) =>
      channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data)),
    oneAtATime,
  };
}
