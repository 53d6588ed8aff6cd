import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import '../testing/browser.js';
import { aGrant, aSession, ada, fakeDependencies, isolateSessions, signedIn, started } from '../testing/session.js';
import { lastPlayer } from './page.js';
import { Session } from './session.js';

const VERIFIER = 'tic-tac-toe.sign-in.code-verifier';

isolateSessions();

describe('Opening the page', () => {
  it('signs in a player who has a session and emits the event', async () => {
    const { session, events } = await signedIn();
    expect(session.getSnapshot()).toEqual({ phase: 'signed in', player: ada });
    expect(events).toEqual(['signed in']);
  });

  it('reports an unreachable server and retries when the network returns', async () => {
    const { session, api } = await started(
      undefined,
      ({ api }) => void api.refresh.mockRejectedValueOnce(new Error('offline')),
    );
    expect(session.getSnapshot()).toMatchObject({
      phase: 'signed out',
      error: expect.stringContaining("Can't reach the server"),
    });
    api.refresh.mockResolvedValueOnce(aGrant());
    window.dispatchEvent(new Event('online'));
    await jest.advanceTimersByTimeAsync(0);
    expect(session.getSnapshot().phase).toBe('signed in');
  });
});

describe('An auth result in the address', () => {
  it('is processed after the callback wait: exchanges the code with the verifier of this tab', async () => {
    sessionStorage.setItem(VERIFIER, 'the verifier');
    const { session, api, page, tabs } = aSession('http://localhost/auth/callback?code=abc');
    void session.start();
    expect(session.getSnapshot().phase).toBe('processing');
    await jest.advanceTimersByTimeAsync(99);
    expect(api.exchange).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(page.clean).toHaveBeenCalledTimes(1);
    expect(api.exchange).toHaveBeenCalledWith('abc', 'the verifier');
    expect(session.getSnapshot().phase).toBe('signed in');
    expect(sessionStorage.getItem(VERIFIER)).toBeNull();
    expect(tabs.broadcast).toHaveBeenCalledWith('signed in');
  });
});

const UNSENT = ['tic-tac-toe.outbox.p-ada.g1', 'tic-tac-toe.outbox.p-bob.g2'];
const PLAYGROUND = ['graphiql:tabState', 'graphiql:queries'];
const left = () =>
  [localStorage, sessionStorage]
    .flatMap((storage) => Object.keys(storage))
    .filter((key) => /ticket|round|outbox|graphiql/.test(key))
    .sort();
const fill = () => {
  for (const key of ['tic-tac-toe.ticket.p-ada.easy', 'tic-tac-toe.ticket.p-bob.hard', ...PLAYGROUND, ...UNSENT]) {
    localStorage.setItem(key, '{}');
  }
  for (const player of ['ada', 'bob']) sessionStorage.setItem(`tic-tac-toe.round.p-${player}`, '{}');
};

describe('The tickets, the game in progress and the playground tabs in this browser', () => {
  afterEach(() => localStorage.clear());

  it.each<[string, (parts: Awaited<ReturnType<typeof signedIn>>) => unknown]>([
    ['a logout', ({ session }) => session.signOut()],
    ['a sign-out in another tab', ({ tabs }) => tabs.receive('signed out')],
    ['the end of the account or of all sessions', ({ session }) => session.leave()],
    [
      'a session that ended elsewhere',
      async ({ api }) => {
        api.refresh.mockResolvedValueOnce(null);
        await jest.advanceTimersByTimeAsync(541_000);
      },
    ],
  ])('are removed by %s; unsent games stay for their owner', async (_, leave) => {
    const parts = await signedIn();
    fill();
    await leave(parts);
    expect(left()).toEqual(UNSENT);
  });

  it('are removed when the page finds an ended session at its start', async () => {
    fill();
    lastPlayer.set(ada);
    await started();
    expect(left()).toEqual(UNSENT);
  });

  it('are removed when the page starts without a session and could not store the last player', async () => {
    fill();
    const { events } = await started();
    expect(left()).toEqual(UNSENT);
    expect(events).toEqual(['no session']);
  });

  it('stay while the server cannot be reached, until it answers that there is no session', async () => {
    fill();
    const all = left();
    const { api } = await started(undefined, ({ api }) => void api.refresh.mockRejectedValueOnce(new Error('offline')));
    expect(left()).toEqual(all);
    api.refresh.mockResolvedValueOnce(null);
    window.dispatchEvent(new Event('online'));
    await jest.advanceTimersByTimeAsync(0);
    expect(left()).toEqual(UNSENT);
  });

  it("of another player are removed at sign-in; the player's own stay", async () => {
    fill();
    await signedIn();
    const own = ['tic-tac-toe.round.p-ada', 'tic-tac-toe.ticket.p-ada.easy'];
    expect(left()).toEqual([...PLAYGROUND.toSorted(), ...UNSENT, ...own]);
  });
});

describe('While signed in', () => {
  it('renews the token a minute before it expires', async () => {
    const { session, api, events } = await signedIn();
    const before = await session.token();
    await jest.advanceTimersByTimeAsync(539_000);
    expect(api.refresh).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(api.refresh).toHaveBeenCalledTimes(2);
    expect(await session.token()).not.toBe(before);
    expect(events).toEqual(['signed in', 'token refreshed']);
  });

  it('emits "user updated" when a renewal brings another name', async () => {
    const { session, api, events } = await signedIn();
    api.refresh.mockImplementationOnce(async () => aGrant({ player: { ...ada, name: 'Countess Lovelace' } }));
    await jest.advanceTimersByTimeAsync(541_000);
    expect(events).toEqual(['signed in', 'token refreshed', 'user updated']);
    expect(session.getSnapshot().player?.name).toBe('Countess Lovelace');
  });
});

describe('At the end of a session', () => {
  it('resumes an ended session after a sign-in in another tab', async () => {
    const { session, api, tabs } = await signedIn();
    session.setGameOnBoard(true);
    api.refresh.mockResolvedValueOnce(null);
    await jest.advanceTimersByTimeAsync(541_000);
    api.refresh.mockResolvedValueOnce(aGrant({ accessToken: 'new' }));
    tabs.receive('signed in');
    await jest.advanceTimersByTimeAsync(0);
    expect(session.getSnapshot()).toEqual({ phase: 'signed in', player: ada });
    expect(await session.token()).toBe('new');
  });

  it('reports an ended session when another tab has removed the cookie', async () => {
    const { session, api } = await signedIn();
    localStorage.removeItem('tic-tac-toe.player');
    api.refresh.mockResolvedValueOnce('no cookie');
    await jest.advanceTimersByTimeAsync(541_000);
    expect(session.getSnapshot()).toMatchObject({ error: expect.stringContaining('been signed out') });
  });
});

describe('Signing out', () => {
  it('signs out on the server and in other tabs, and goes to the start after 100 ms', async () => {
    const { session, api, tabs, page } = await signedIn();
    await session.signOut();
    expect(api.signOut).toHaveBeenCalled();
    expect(tabs.broadcast).toHaveBeenCalledWith('signed out');
    expect(session.getSnapshot().phase).toBe('signed out');
    expect(page.goTo).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(100);
    expect(page.goTo).toHaveBeenCalledWith('/');
  });

  it('does not cancel a sign-in that starts right after a sign-out', async () => {
    const { session, page } = await signedIn();
    await session.signOut();
    void session.signIn('github');
    await jest.advanceTimersByTimeAsync(150);
    expect(page.goTo).not.toHaveBeenCalledWith('/');
    expect(session.getSnapshot()).toMatchObject({ redirecting: true });
  });
});

it('waits for a slow network on the way to the provider, and lets the player try again when the redirect fails', async () => {
  jest.spyOn(crypto.subtle, 'digest').mockResolvedValueOnce(new ArrayBuffer(32));
  const { session, api, page } = await started();
  api.reach.mockImplementationOnce(() => new Promise((done) => setTimeout(done, 15_000)));
  void session.signIn('github');
  await jest.advanceTimersByTimeAsync(14_999);
  expect(session.getSnapshot()).toMatchObject({ redirecting: true, error: null });
  await jest.advanceTimersByTimeAsync(1);
  await jest.advanceTimersByTimeAsync(9_000);
  expect(page.goTo).toHaveBeenCalledWith(expect.stringMatching('^/auth/github'));
  expect(session.getSnapshot()).toMatchObject({ redirecting: true });
  await jest.advanceTimersByTimeAsync(1_001);
  expect(session.getSnapshot()).toMatchObject({ redirecting: false, error: null });
});

describe('Without a network', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    localStorage.clear();
  });
  afterEach(() => void jest.useRealTimers());

  const unreachable = async () => Promise.reject(new TypeError('Failed to fetch'));

  /** Opens the page of a returning player while the server cannot be reached. */
  async function openedWithoutNetwork() {
    const before = fakeDependencies();
    before.api.refresh.mockImplementation(async () => aGrant());
    void new Session(before).start();
    await jest.advanceTimersByTimeAsync(0);

    const around = fakeDependencies();
    around.api.refresh.mockImplementation(unreachable);
    const session = new Session(around);
    void session.start();
    await jest.advanceTimersByTimeAsync(0);
    return { session, ...around };
  }

  it('loads the session at the first request after the network returns', async () => {
    const { session, api } = await openedWithoutNetwork();
    api.refresh.mockImplementation(async () => aGrant({ accessToken: 'new' }));
    expect(await session.token()).toBe('new');
    expect(session.getSnapshot()).toEqual({ phase: 'signed in', player: ada });
  });

  it('loads the session when the network returns', async () => {
    const { session, api } = await openedWithoutNetwork();
    api.refresh.mockImplementation(async () => aGrant());
    window.dispatchEvent(new Event('online'));
    await jest.advanceTimersByTimeAsync(0);
    expect(session.getSnapshot().player).toEqual(ada);
  });

  it('signs out and forgets a player whose session ended elsewhere', async () => {
    const { session, api } = await openedWithoutNetwork();
    api.refresh.mockResolvedValue(null);
    expect(await session.token()).toBeNull();
    expect(session.getSnapshot().phase).toBe('signed out');
    expect(session.wasSignedIn).toBe(false);
  });

  it('lets the last player practise while the server does not answer', async () => {
    await openedWithoutNetwork();
    const slow = fakeDependencies();
    slow.api.refresh.mockImplementation(() => new Promise(() => undefined));
    const session = new Session(slow);
    void session.start();
    await jest.advanceTimersByTimeAsync(3000);
    expect(session.getSnapshot().phase).toBe('signed in');
    expect(console.warn).toHaveBeenCalledWith('Auth loading timeout');
    jest.mocked(console.warn).mockClear();
  });
});
