import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import '../testing/browser.js';
import { noStats } from '../../game/scoring.js';
import { clearStorageOnSignOut } from '../playerStorage.js';
import { storedStats } from '../storedStats.js';
import { ada, aGrant, fakeDependencies } from '../testing/session.js';
import { Refused } from './authApi.js';
import { Session } from './session.js';
import { lastPlayer } from './lastPlayer.js';
import type { SessionEvent } from './sessionState.js';

const VERIFIER = 'tic-tac-toe.sign-in.code-verifier';

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => void jest.useRealTimers());

function aSession(address?: string) {
  const around = fakeDependencies(address);
  const session = new Session(around);
  clearStorageOnSignOut(session);
  const events: SessionEvent[] = [];
  session.on((event) => events.push(event));
  return { session, events, ...around };
}

async function started(address?: string, prepare?: (parts: ReturnType<typeof aSession>) => void) {
  const parts = aSession(address);
  prepare?.(parts);
  void parts.session.start();
  await jest.advanceTimersByTimeAsync(150);
  return parts;
}

const signedIn = () => started(undefined, ({ api }) => void api.refresh.mockImplementation(async () => aGrant()));

describe('Opening the page', () => {
  it('signs in who has a session, and says so', async () => {
    const { session, events } = await signedIn();
    expect(session.getSnapshot()).toEqual({ phase: 'signed in', player: ada });
    expect(events).toEqual(['signed in']);
  });

  it('shows a first visitor the login screen without an error', async () => {
    const { session } = await started();
    expect(session.getSnapshot()).toEqual({ phase: 'signed out', player: null, error: null, redirecting: false });
  });

  it('says so when the server cannot be reached, and tries again when the network is back', async () => {
    const { session, api } = await started(
      undefined,
      ({ api }) => void api.refresh.mockRejectedValueOnce(new Error('offline')),
    );
    expect(session.getSnapshot()).toMatchObject({
      phase: 'signed out',
      error: expect.stringContaining('could not be reached'),
    });
    api.refresh.mockResolvedValueOnce(aGrant());
    window.dispatchEvent(new Event('online'));
    await jest.advanceTimersByTimeAsync(0);
    expect(session.getSnapshot().phase).toBe('signed in');
  });

  it('gives up after three seconds with a warning, and a late answer still signs in', async () => {
    let answer: (grant: ReturnType<typeof aGrant>) => void = () => undefined;
    const { session } = await started(undefined, ({ api }) => {
      api.refresh.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    });
    await jest.advanceTimersByTimeAsync(2800);
    expect(session.getSnapshot().phase).toBe('loading');
    await jest.advanceTimersByTimeAsync(100);
    expect(console.warn).toHaveBeenCalledWith('Auth loading timeout');
    jest.mocked(console.warn).mockClear();
    expect(session.getSnapshot().phase).toBe('signed out');
    answer(aGrant());
    await jest.advanceTimersByTimeAsync(0);
    expect(session.getSnapshot().phase).toBe('signed in');
  });
});

describe('An auth result in the address', () => {
  it('is processed after the callback wait: the code is exchanged with the verifier of this tab', async () => {
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

  it('with a code that this tab did not ask for is refused', async () => {
    const { session, api, page } = await started('http://localhost/auth/callback?code=planted');
    expect(api.exchange).not.toHaveBeenCalled();
    expect(page.clean).toHaveBeenCalled();
    expect(session.getSnapshot()).toMatchObject({
      phase: 'signed out',
      error: expect.stringContaining('not started in this tab'),
    });
  });

  it('with a code that this tab did not ask for leaves an existing session as it is', async () => {
    const { session } = await started(
      'http://localhost/?code=planted',
      ({ api }) => void api.refresh.mockResolvedValue(aGrant()),
    );
    expect(session.getSnapshot()).toEqual({ phase: 'signed in', player: ada });
  });

  it.each([
    ['access_denied', 'You did not allow the sign-in'],
    ['sign_in_expired', 'has expired'],
    ['provider_unavailable', 'not answering'],
    ['provider_not_set_up', 'not set up'],
    ['too_many_sign_ins', 'Too many sign-ins from your network. Please wait a minute and try again.'],
    ['sign_in_failed', 'Login failed. Please try again.'],
    ['constructor', 'Login failed. Please try again.'],
  ])('with the error %s ends in a human sentence', async (code, sentence) => {
    const { session } = await started(`http://localhost/auth/callback?error=${code}`);
    expect(session.getSnapshot()).toMatchObject({ phase: 'signed out', error: expect.stringContaining(sentence) });
  });

  it('whose code the server refuses ends in the sentence for its reason', async () => {
    sessionStorage.setItem(VERIFIER, 'v');
    const { session } = await started('http://localhost/?code=old', ({ api }) => {
      api.exchange.mockRejectedValueOnce(new Refused('sign_in_expired', 'x'));
    });
    expect(session.getSnapshot()).toMatchObject({ error: expect.stringContaining('has expired') });
  });

  it('never gives a token: one in the address is only cleaned away', async () => {
    const { session, api, page } = await started('http://localhost/?access_token=stolen#access_token=stolen');
    expect(page.clean).toHaveBeenCalled();
    expect(api.exchange).not.toHaveBeenCalled();
    expect(session.getSnapshot()).toMatchObject({ phase: 'signed out', error: null });
    expect(await session.token()).toBeNull();
  });

  it('that arrives as a hash later is processed too, and the player stays signed in', async () => {
    const { session, page } = await signedIn();
    page.visit('http://localhost/#something');
    window.dispatchEvent(new Event('hashchange'));
    expect(session.getSnapshot()).toEqual({ phase: 'processing', player: ada });
    await jest.advanceTimersByTimeAsync(100);
    expect(page.clean).toHaveBeenCalled();
    expect(session.getSnapshot()).toEqual({ phase: 'signed in', player: ada });
  });
});

describe('Signing in', () => {
  it('leads to the provider with the hash of a secret that stays in this tab', async () => {
    const { session, page } = await started();
    const signIn = session.signIn('github');
    expect(session.getSnapshot()).toMatchObject({ redirecting: true });
    jest.useRealTimers();
    await signIn;
    expect(sessionStorage.getItem(VERIFIER)).toMatch(/^[\w-]{43,}$/);
    expect(page.goTo).toHaveBeenCalledWith(
      expect.stringMatching(/^\/auth\/github\?code_challenge=[\w-]{43}&code_challenge_method=S256$/),
    );
  });

  it('that another page has sent here leads back there, if the server agrees', async () => {
    const { session, page } = await started('http://localhost/?return_to=/playground/');
    jest.useRealTimers();
    await session.signIn('github');
    expect(page.goTo).toHaveBeenCalledWith(expect.stringContaining('&return_to=%2Fplayground%2F'));

    jest.useFakeTimers();
    const back = await started('http://localhost/auth/callback?code=abc', ({ api }) => {
      api.exchange.mockResolvedValueOnce({ grant: aGrant(), returnTo: '/playground/' });
    });
    expect(back.page.goTo).toHaveBeenCalledWith('/playground/');
  });

  it('leads to another view of this page without leaving it, and the view stands there before the game opens', async () => {
    sessionStorage.setItem(VERIFIER, 'v');
    const seen: string[] = [];
    const { page } = await started('http://localhost/auth/callback?code=abc', ({ api, session, page }) => {
      api.exchange.mockResolvedValueOnce({ grant: aGrant(), returnTo: '/?open=account' });
      session.on(() => seen.push(page.href()));
    });
    expect(seen).toEqual(['http://localhost/?open=account']);
    expect(page.goTo).not.toHaveBeenCalled();
  });

  it('again keeps the player signed in until the new session is there, and leads back', async () => {
    const { session, page } = await signedIn();
    localStorage.setItem('tic-tac-toe.ticket.p-ada.easy', '{}');
    jest.useRealTimers();
    await session.reauthenticate('github', '/?open=account');
    expect(page.goTo).toHaveBeenCalledWith(
      expect.stringMatching(/^\/auth\/github\?.*&return_to=%2F%3Fopen%3Daccount$/),
    );
    expect(session.getSnapshot()).toEqual({ phase: 'signed in', player: ada });
    expect(await session.token()).not.toBeNull();
    expect(localStorage.getItem('tic-tac-toe.ticket.p-ada.easy')).toBe('{}');
  });

  it('that cannot even start says that it failed', async () => {
    const { session, page } = await started();
    page.goTo.mockImplementation(() => {
      throw new Error('blocked');
    });
    jest.useRealTimers();
    await session.signIn('google');
    expect(session.getSnapshot()).toMatchObject({ error: 'Login failed. Please try again.', redirecting: false });
  });

  describe('where the browser blocks storage', () => {
    const blocked = ['localStorage', 'sessionStorage'] as const;
    beforeEach(() => {
      for (const name of blocked) {
        jest.spyOn(window, name, 'get').mockImplementation(() => {
          throw new DOMException('blocked', 'SecurityError');
        });
      }
    });
    afterEach(() => void jest.restoreAllMocks());

    const BLOCKED = { error: expect.stringContaining('blocks cookies or storage'), redirecting: false };

    it('leads to no provider and names the cause', async () => {
      const { session, page } = await started();
      expect(session.getSnapshot()).toMatchObject({ phase: 'signed out', error: null });
      await session.signIn('google');
      expect(session.getSnapshot()).toMatchObject(BLOCKED);
      expect(page.goTo).not.toHaveBeenCalled();
    });

    it.each(['code=abc', 'error=sign_in_expired'])('names the cause when it comes back with %s', async (result) => {
      const { session } = await started(`http://localhost/auth/callback?${result}`);
      expect(session.getSnapshot()).toMatchObject(BLOCKED);
    });
  });

  it('where the browser takes no cookies leads to no provider and names the cause', async () => {
    const { session, page } = await started();
    jest.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false);
    await session.signIn('google');
    expect(session.getSnapshot()).toMatchObject({ error: expect.stringContaining('blocks cookies or storage') });
    expect(page.goTo).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it.each([
    ['just begun', 0, 'did not keep the cookie of this sign-in'],
    ['begun ten minutes ago', 600_000, 'has expired'],
  ])('that was %s and that the server does not know: the sentence names the likely cause', async (_, age, sentence) => {
    sessionStorage.setItem(VERIFIER, 'v');
    sessionStorage.setItem('tic-tac-toe.sign-in.started', String(Date.now() - age));
    const { session } = await started('http://localhost/auth/callback?error=sign_in_expired');
    expect(session.getSnapshot()).toMatchObject({ error: expect.stringContaining(sentence) });
    expect(sessionStorage).toHaveLength(0);
  });

  it('that leads nowhere can be tried again after ten seconds, counted from the last try', async () => {
    const { session } = await started();
    void session.signIn('github');
    await jest.advanceTimersByTimeAsync(6_000);
    void session.signIn('google');
    await jest.advanceTimersByTimeAsync(9_999);
    expect(session.getSnapshot()).toMatchObject({ redirecting: true });
    await jest.advanceTimersByTimeAsync(1);
    expect(session.getSnapshot()).toMatchObject({ phase: 'signed out', redirecting: false });
  });

  it('that leads nowhere signs out nobody who has signed in in another tab meanwhile', async () => {
    const { session, tabs, api } = await started();
    void session.signIn('github');
    api.refresh.mockResolvedValue(aGrant());
    tabs.receive('signed in');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(session.getSnapshot().phase).toBe('signed in');
  });

  it.each([
    ['no session', async () => null],
    ['no network', async () => Promise.reject(new Error('offline'))],
  ])('is not called back by a late answer of %s', async (_, answer) => {
    sessionStorage.setItem(VERIFIER, 'v');
    const { session } = await started('http://localhost/?code=old', ({ api }) => {
      api.exchange.mockRejectedValueOnce(new Refused('sign_in_expired', 'x'));
      api.refresh.mockImplementationOnce(async () => {
        await new Promise((late) => setTimeout(late, 4_000));
        return answer();
      });
    });
    await jest.advanceTimersByTimeAsync(3_000);
    expect(console.warn).toHaveBeenCalledWith('Auth loading timeout');
    jest.mocked(console.warn).mockClear();
    void session.signIn('github');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(session.getSnapshot()).toMatchObject({ redirecting: true });
  });
});

describe('While signed in', () => {
  it('the token is renewed a minute before it expires', async () => {
    const { session, api, events } = await signedIn();
    const before = await session.token();
    await jest.advanceTimersByTimeAsync(539_000);
    expect(api.refresh).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(api.refresh).toHaveBeenCalledTimes(2);
    expect(await session.token()).not.toBe(before);
    expect(events).toEqual(['signed in', 'token refreshed']);
  });

  it('a renewal that brings another name tells that the user was updated', async () => {
    const { session, api, events } = await signedIn();
    api.refresh.mockImplementationOnce(async () => aGrant({ player: { ...ada, name: 'Countess Lovelace' } }));
    await jest.advanceTimersByTimeAsync(541_000);
    expect(events).toEqual(['signed in', 'token refreshed', 'user updated']);
    expect(session.getSnapshot().player?.name).toBe('Countess Lovelace');
  });

  it('a session that ended on the server ends here with a sentence', async () => {
    const { session, api, events } = await signedIn();
    api.refresh.mockResolvedValueOnce(null);
    await jest.advanceTimersByTimeAsync(541_000);
    expect(session.getSnapshot()).toMatchObject({ phase: 'signed out', error: expect.stringContaining('has ended') });
    expect(events.at(-1)).toBe('signed out');
  });

  it('a session that ends during a game leaves the player at the board, without a token, until they go on', async () => {
    const { session, api, events } = await signedIn();
    storedStats.set(ada.id, noStats);
    session.setGameOnBoard(true);
    api.refresh.mockResolvedValueOnce(null);
    await jest.advanceTimersByTimeAsync(541_000);
    expect(session.getSnapshot()).toEqual({ phase: 'ended', player: ada });
    expect(await session.token()).toBeNull();
    expect(Object.keys(localStorage)).toEqual([]);
    session.toLoginScreen();
    expect(session.getSnapshot()).toMatchObject({ phase: 'signed out', error: expect.stringContaining('has ended') });
    expect(events).toEqual(['signed in', 'signed out']);
  });

  it('a sign-in in another tab gives a session that has ended here its player back', async () => {
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

  it('a browser that loses the cookie of the session is named as the cause, at the next start too', async () => {
    const { session, api } = await signedIn();
    api.refresh.mockResolvedValueOnce('no cookie');
    const reloaded = await started(undefined, ({ api }) => void api.refresh.mockResolvedValueOnce('no cookie'));
    const lost = { phase: 'signed out', error: expect.stringContaining('no longer has the cookie') };
    expect(reloaded.session.getSnapshot()).toMatchObject(lost);
    localStorage.setItem('tic-tac-toe.player', JSON.stringify(ada));
    await jest.advanceTimersByTimeAsync(541_000);
    expect(session.getSnapshot()).toMatchObject(lost);
  });

  it('a cookie that is gone because another tab has ended the session is no fault of the browser', async () => {
    const { session, api } = await signedIn();
    localStorage.removeItem('tic-tac-toe.player');
    api.refresh.mockResolvedValueOnce('no cookie');
    await jest.advanceTimersByTimeAsync(541_000);
    expect(session.getSnapshot()).toMatchObject({ error: expect.stringContaining('has ended') });
  });

  it('signing out forgets the stats that this browser keeps', async () => {
    const { session } = await signedIn();
    storedStats.set(ada.id, noStats);
    storedStats.set('somebody before', noStats);
    await session.signOut();
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it('a sign-out in another tab is seen at once', async () => {
    const { session, tabs } = await signedIn();
    tabs.receive('signed out');
    expect(session.getSnapshot().phase).toBe('signed out');
    expect(await session.token()).toBeNull();
  });

  it('logging out ends the session on the server, tells the other tabs and goes to the start after 100 ms', async () => {
    const { session, api, tabs, page } = await signedIn();
    await session.signOut();
    expect(api.signOut).toHaveBeenCalled();
    expect(tabs.broadcast).toHaveBeenCalledWith('signed out');
    expect(session.getSnapshot().phase).toBe('signed out');
    expect(page.goTo).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(100);
    expect(page.goTo).toHaveBeenCalledWith('/');
  });

  it('a sign-in begun right after logging out is not called back by it', async () => {
    const { session, page } = await signedIn();
    await session.signOut();
    void session.signIn('github');
    await jest.advanceTimersByTimeAsync(150);
    expect(page.goTo).not.toHaveBeenCalledWith('/');
    expect(session.getSnapshot()).toMatchObject({ redirecting: true });
  });

  it('logging out without a server fails and leaves the player signed in', async () => {
    const { session, api } = await signedIn();
    api.signOut.mockRejectedValueOnce(new Error('offline'));
    await expect(session.signOut()).rejects.toThrow('offline');
    expect(session.getSnapshot().phase).toBe('signed in');
  });
});

describe('The tickets that wait in this browser', () => {
  const UNSENT = ['tic-tac-toe.outbox.p-ada.g1', 'tic-tac-toe.outbox.p-bob.g2'];
  const PLAYGROUND = ['graphiql:tabState', 'graphiql:queries'];
  const left = () =>
    Object.keys(localStorage)
      .filter((key) => /ticket|outbox|graphiql/.test(key))
      .sort();
  const fill = () => {
    for (const key of ['tic-tac-toe.ticket.p-ada.easy', 'tic-tac-toe.ticket.p-bob.hard', ...PLAYGROUND, ...UNSENT]) {
      localStorage.setItem(key, '{}');
    }
  };
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
  ])('go with %s, and every unsent game stays for its owner', async (_, leave) => {
    const parts = await signedIn();
    fill();
    await leave(parts);
    expect(left()).toEqual(UNSENT);
  });

  it('go when the page finds at its start that the session has ended', async () => {
    fill();
    lastPlayer.set(ada);
    await started();
    expect(left()).toEqual(UNSENT);
  });

  it('of another player go when somebody signs in, the own ones stay', async () => {
    fill();
    await signedIn();
    expect(left()).toEqual([...PLAYGROUND.toSorted(), ...UNSENT, 'tic-tac-toe.ticket.p-ada.easy']);
  });
});

it('A sign-in in another tab signs in this one', async () => {
  const { session, tabs, api } = await started();
  api.refresh.mockResolvedValueOnce(aGrant());
  tabs.receive('signed in');
  await jest.advanceTimersByTimeAsync(0);
  expect(session.getSnapshot().phase).toBe('signed in');
});
