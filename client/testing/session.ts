import { jest } from '@jest/globals';
import type { Grant } from '../auth/authApi.js';
import type { Dependencies } from '../auth/session.js';
import type { Player } from '../data/player.js';
import type { TabMessage } from '../data/tabs.js';

export const ada: Player = {
  id: 'p-ada',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  picture: '/avatar/p-ada.svg',
  provider: 'google',
};

let issued = 0;

/** A grant for ten minutes, like the server's. */
export function aGrant(over: Partial<Grant> = {}): Grant {
  return { accessToken: `token-${++issued}`, expiresAt: Date.now() + 600_000, player: ada, ...over };
}

/** Fake dependencies of a session, which tests control. */
export function fakeDependencies(address = 'http://localhost/') {
  let href = address;
  const listeners: ((message: TabMessage) => void)[] = [];
  return {
    api: {
      reach: jest.fn<Dependencies['api']['reach']>(async () => undefined),
      exchange: jest.fn<Dependencies['api']['exchange']>(async () => ({ grant: aGrant(), returnTo: '/' })),
      refresh: jest.fn<Dependencies['api']['refresh']>(async () => 'no_session'),
      signOut: jest.fn<Dependencies['api']['signOut']>(async () => undefined),
    },
    page: {
      href: () => href,
      visit: (next: string) => {
        href = next;
      },
      clean: jest.fn((path: string = '/') => {
        href = `http://localhost${path}`;
      }),
      goTo: jest.fn<(address: string) => void>(),
    },
    tabs: {
      broadcast: jest.fn<(message: TabMessage) => void>(),
      onMessage: (listener: (message: TabMessage) => void) => void listeners.push(listener),
      oneAtATime: jest.fn(async (_name: string, work: () => Promise<unknown>) =>
        work(),
      ) as Dependencies['tabs']['oneAtATime'],
      /** Simulates a message from another tab. */
      receive: (message: TabMessage) => listeners.forEach((listener) => listener(message)),
    },
  };
}
