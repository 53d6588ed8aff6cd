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
  it('signs in a player who has a session and emits the event', async () => {
    const { session, events } = await signedIn();
    expect(session.getSnapshot()).toEqual({ phase: 'signed in', player: ada });
    expect(events).toEqual(['signed in']);
  });

  it('shows a first visitor the login screen without an error', async () => {
    const { session } = await started();
    expect(session.getSnapshot()).toEqual({ phase: 'signed out', player: null, error: null, redirecting: false });
  });

  it('reports an unreachable server and retries when the network returns', async () => {
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

  it('is refused if its code was not requested by this tab', async () => {
    const { session, api, page } = await started('http://localhost/auth/callback?code=planted');
    expect(api.exchange).not.toHaveBeenCalled();
    expect(page.clean).toHaveBeenCalled();
    expect(session.getSnapshot()).toMatchObject({
      phase: 'signed out',
      error: expect.stringContaining('not started in this tab'),
    });
  });

  it('keeps an existing session if its code was not requested by this tab', async () => {
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
    ['account_banned', 'This account is banned.'],
    ['too_many_sign_ins', 'Too many sign-ins from your network. Please wait a minute and try again.'],
    ['sign_in_failed', 'Login failed. Please try again.'],
    ['constructor', 'Login failed. Please try again.'],
  ])('with the error %s shows a message', async (code, sentence) => {
    const { session } = await started(`http://localhost/auth/callback?error=${code}`);
    expect(session.getSnapshot()).toMatchObject({ phase: 'signed out', error: expect.stringContaining(sentence) });
  });

  it('shows the reason when the server refuses the code', async () => {
    sessionStorage.setItem(VERIFIER, 'v');
    const { session } = await started('http://localhost/?code=old', ({ api }) => {
      api.exchange.mockRejectedValueOnce(new Refused('sign_in_expired', 'x'));
    });
    expect(session.getSnapshot()).toMatchObject({ error: expect.stringContaining('has expired') });
  });

  it('removes a token from the address without using it', async () => {
    const { session, api, page } = await started('http://localhost/?access_token=stolen#access_token=stolen');
    expect(page.clean).toHaveBeenCalled();
    expect(api.exchange).not.toHaveBeenCalled();
    expect(session.getSnapshot()).toMatchObject({ phase: 'signed out', error: null });
    expect(await session.token()).toBeNull();
  });

  it('is processed when a hash appears later, and the player stays signed in', async () => {
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
  it('goes to the provider with the hash of a secret that stays in this tab', async () => {
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

  it('returns to the page that requested the sign-in, if the server allows it', async () => {
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

  it('sets the address of the requested view before the game opens', async () => {
    sessionStorage.setItem(VERIFIER, 'v');
    const seen: string[] = [];
    const { page } = await started('http://localhost/auth/callback?code=abc', ({ api, session, page }) => {
      api.exchange.mockResolvedValueOnce({ grant: aGrant(), returnTo: '/?open=account' });
      session.on(() => seen.push(page.href()));
    });
    expect(seen).toEqual(['http://localhost/?open=account']);
    expect(page.goTo).not.toHaveBeenCalled();
  });

  it('again keeps the player signed in until the new session starts', async () => {
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

  it('reports a redirect that fails', async () => {
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

    it('reports blocked storage and does not redirect', async () => {
      const { session, page } = await started();
      expect(session.getSnapshot()).toMatchObject({ phase: 'signed out', error: null });
      await session.signIn('google');
      expect(session.getSnapshot()).toMatchObject(BLOCKED);
      expect(page.goTo).not.toHaveBeenCalled();
    });

    it.each(['code=abc', 'error=sign_in_expired'])('reports blocked storage after a return with %s', async (result) => {
      const { session } = await started(`http://localhost/auth/callback?${result}`);
      expect(session.getSnapshot()).toMatchObject(BLOCKED);
    });
  });

  it('reports blocked cookies and does not redirect', async () => {
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
  ])('that was %s and is unknown to the server: names the likely cause', async (_, age, sentence) => {
    sessionStorage.setItem(VERIFIER, 'v');
    sessionStorage.setItem('tic-tac-toe.sign-in.started', String(Date.now() - age));
    const { session } = await started('http://localhost/auth/callback?error=sign_in_expired');
    expect(session.getSnapshot()).toMatchObject({ error: expect.stringContaining(sentence) });
    expect(sessionStorage).toHaveLength(0);
  });

  it('can be tried again ten seconds after the last try', async () => {
    const { session } = await started();
    void session.signIn('github');
    await jest.advanceTimersByTimeAsync(6_000);
    void session.signIn('google');
    await jest.advanceTimersByTimeAsync(9_999);
    expect(session.getSnapshot()).toMatchObject({ redirecting: true });
    await jest.advanceTimersByTimeAsync(1);
    expect(session.getSnapshot()).toMatchObject({ phase: 'signed out', redirecting: false });
  });

  it('keeps a session that another tab has started meanwhile', async () => {
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
  ])('is not cancelled by a late answer of %s', async (_, answer) => {
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

  it('signs out with a message when the session has ended on the server', async () => {
    const { session, api, events } = await signedIn();
    api.refresh.mockResolvedValueOnce(null);
    await jest.advanceTimersByTimeAsync(541_000);
    expect(session.getSnapshot()).toMatchObject({ phase: 'signed out', error: expect.stringContaining('has ended') });
    expect(events.at(-1)).toBe('signed out');
  });

  it('keeps the board without a token when the session ends during a game', async () => {
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

  it('reports a lost session cookie, also at the next start', async () => {
    const { session, api } = await signedIn();
    api.refresh.mockResolvedValueOnce('no cookie');
    const reloaded = await started(undefined, ({ api }) => void api.refresh.mockResolvedValueOnce('no cookie'));
    const lost = { phase: 'signed out', error: expect.stringContaining('no longer has the cookie') };
    expect(reloaded.session.getSnapshot()).toMatchObject(lost);
    localStorage.setItem('tic-tac-toe.player', JSON.stringify(ada));
    await jest.advanceTimersByTimeAsync(541_000);
    expect(session.getSnapshot()).toMatchObject(lost);
  });

  it('reports an ended session when another tab has removed the cookie', async () => {
    const { session, api } = await signedIn();
    localStorage.removeItem('tic-tac-toe.player');
    api.refresh.mockResolvedValueOnce('no cookie');
    await jest.advanceTimersByTimeAsync(541_000);
    expect(session.getSnapshot()).toMatchObject({ error: expect.stringContaining('has ended') });
  });

  it('clears the stored stats at sign-out', async () => {
    const { session } = await signedIn();
    storedStats.set(ada.id, noStats);
    storedStats.set('somebody before', noStats);
    await session.signOut();
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it('signs out with another tab', async () => {
    const { session, tabs } = await signedIn();
    tabs.receive('signed out');
    expect(session.getSnapshot().phase).toBe('signed out');
    expect(await session.token()).toBeNull();
  });

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

  it('stays signed in when the server cannot be reached for the sign-out', async () => {
    const { session, api } = await signedIn();
    api.signOut.mockRejectedValueOnce(new Error('offline'));
    await expect(session.signOut()).rejects.toThrow('offline');
    expect(session.getSnapshot().phase).toBe('signed in');
  });
});

describe('The tickets, the game in progress and the playground tabs in this browser', () => {
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

it('signs in with another tab', async () => {
  const { session, tabs, api } = await started();
  api.refresh.mockResolvedValueOnce(aGrant());
  tabs.receive('signed in');
  await jest.advanceTimersByTimeAsync(0);
  expect(session.getSnapshot().phase).toBe('signed in');
});
