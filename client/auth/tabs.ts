import { oneAtATime } from '../oneAtATime.js';

/** A message to the other tabs of this browser about their shared session. */
export type TabMessage = 'signed in' | 'signed out';

export type Tabs = ReturnType<typeof createTabs>;

/** Without BroadcastChannel, a tab notices a sign-out elsewhere at its next refresh. */
export function createTabs() {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('tic-tac-toe.session');
  return {
    broadcast: (message: TabMessage) => channel?.postMessage(message),
    onMessage: (listener: (message: TabMessage) => void) =>
      channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data)),
    oneAtATime,
  };
}
