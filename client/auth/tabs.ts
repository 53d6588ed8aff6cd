import { oneAtATime } from '../oneAtATime.js';

/** A message to the other tabs of this browser about their shared session. */
export type TabMessage = 'signed in' | 'signed out';

export interface Tabs {
  broadcast(message: TabMessage): void;
  onMessage(listener: (message: TabMessage) => void): void;
  oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Without BroadcastChannel, a tab notices a sign-out elsewhere at its next refresh. */
export function createTabs(): Tabs {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('tic-tac-toe.session');
  return {
    broadcast: (message) => channel?.postMessage(message),
    onMessage: (listener) =>
      channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data)),
    oneAtATime,
  };
}
