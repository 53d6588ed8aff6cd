import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import '../testing/browser.js';
import { clearStorageOnSignOut } from '../data/playerStorage.js';
import { Refused } from '../data/refused.js';
import { aGrant, ada, fakeDependencies } from '../testing/session.js';
import { lastPlayer } from './page.js';
import { Session, type SessionEvent } from './session.js';

const VERIFIER = 'tic-tac-toe.sign-in.code-verifier';

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => void jest.useRealTimers());

/** A session that has not started, with its events. */
function aSession(address?: string) {
  const around = fakeDependencies(address);
  const session = new Session(around);
  clearStorageOnSignOut(session);
  const events: SessionEvent[] = [];
  session.on((event) => events.push(event));
  return { session, events, ...around };
}

/** A session after its start. */
async function started(address?: string, prepare?: (parts: ReturnType<typeof aSession>) => void) {
  const parts = aSession(address);
  prepare?.(parts);
  void parts.session.start();
  await jest.advanceTimersByTimeAsync(150);
  return parts;
}

const signedIn = () => started(undefined, ({ api }) => void api.refresh.mockImplementation(async () => aGrant()));

it('processes an auth result in the address after the callback wait: exchanges the code with the verifier of this tab', async () => {
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

it.each([
  ['provider_unavailable', "The sign-in service isn't answering"],
  ['account_banned', 'This account is banned'],
  ['too_many_sign_ins', 'Too many sign-ins from your network. Wait a minute and try again.'],
  ['sign_in_expired', 'This sign-in has expired'],
  ['sign_in_failed', 'Login failed. Please try again.'],
  ['<b>anything</b>', 'Login failed. Please try again.'],
  ['constructor', 'Login failed. Please try again.'],
])('says what the error %s of the server means', async (code, said) => {
  const { session } = await started(`http://localhost/auth/callback?error=${encodeURIComponent(code)}`);
  expect(session.getSnapshot()).toMatchObject({ error: { message: expect.stringContaining(said) } });
});

it('says why the server refuses a code', async () => {
  sessionStorage.setItem(VERIFIER, 'v');
  const { session } = await started('http://localhost/auth/callback?code=planted', ({ api }) => {
    api.exchange.mockRejectedValueOnce(new Refused('sign_in_expired', 'x'));
  });
  expect(session.getSnapshot()).toMatchObject({ error: { message: expect.stringContaining('has expired') } });
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
        api.refresh.mockResolvedValueOnce('no_session');
        await jest.advanceTimersByTimeAsync(541_000);
      },
    ],
  ])('are removed by %s; unsent games stay for their owner', async (_, leave) => {
    const parts = await signedIn();
    fill();
    await leave(parts);
    expect(left()).toEqual(UNSENT);
  });

  it('are removed with all unsent games of the account when the page starts and the account was deleted elsewhere; the page says so', async () => {
    fill();
    lastPlayer.set(ada);
    const { session, tabs } = await started(undefined, ({ api }) => {
      api.refresh.mockResolvedValue('account_deleted');
    });
    expect(session.getSnapshot()).toMatchObject({ error: { message: 'Your account is deleted.' } });
    expect(tabs.broadcast).toHaveBeenCalledWith('account_deleted');
    expect(left()).toEqual(UNSENT.slice(1));
  });

  it.each([
    ['finds an ended session', () => lastPlayer.set(ada)],
    ['has no session and could not store the last player', () => undefined],
  ])('are removed when the page starts and %s', async (_, prepare) => {
    fill();
    prepare();
    await started();
    expect(left()).toEqual(UNSENT);
  });

  it('stay while the server cannot be reached, until it answers that there is no session', async () => {
    fill();
    const all = left();
    const { api } = await started(undefined, ({ api }) => void api.refresh.mockRejectedValueOnce(new Error('offline')));
    expect(left()).toEqual(all);
    api.refresh.mockResolvedValueOnce('no_session');
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

it('emits "user updated" when a renewal brings another name', async () => {
  const { session, api, events } = await signedIn();
  api.refresh.mockImplementationOnce(async () => aGrant({ player: { ...ada, name: 'Countess Lovelace' } }));
  await jest.advanceTimersByTimeAsync(541_000);
  expect(events).toEqual(['signed in', 'token refreshed', 'user updated']);
  expect(session.getSnapshot().player?.name).toBe('Countess Lovelace');
});

describe('At the end of a session', () => {
  it('resumes an ended session after a sign-in in another tab', async () => {
    const { session, api, tabs } = await signedIn();
    session.setGameOnBoard(true);
    api.refresh.mockResolvedValueOnce('no_session');
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
    expect(session.getSnapshot()).toMatchObject({ error: { message: expect.stringContaining('been signed out') } });
  });
});

it('does not cancel a sign-in that starts right after a sign-out', async () => {
  const { session, page } = await signedIn();
  await session.signOut();
  void session.signIn('github');
  await jest.advanceTimersByTimeAsync(150);
  expect(page.goTo).not.toHaveBeenCalledWith('/');
  expect(session.getSnapshot()).toMatchObject({ redirecting: true });
});

describe('Without a network', () => {
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

  it('signs out and forgets a player whose session ended elsewhere', async () => {
    const { session, api } = await openedWithoutNetwork();
    api.refresh.mockResolvedValue('no_session');
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

describe('A sign-in', () => {
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

  it('that was begun ten minutes ago and is unknown to the server has expired', async () => {
    sessionStorage.setItem(VERIFIER, 'v');
    sessionStorage.setItem('tic-tac-toe.sign-in.started', String(Date.now() - 600_000));
    const { session } = await started('http://localhost/auth/callback?error=sign_in_expired');
    expect(session.getSnapshot()).toMatchObject({ error: { message: expect.stringContaining('has expired') } });
    expect(sessionStorage).toHaveLength(0);
  });

  it('can be tried again ten seconds after the last try', async () => {
    // A real hash takes its own time, which the fake timers do not wait for.
    const hash = jest.spyOn(crypto.subtle, 'digest').mockResolvedValue(new ArrayBuffer(32));
    const { session } = await started();
    void session.signIn('github');
    await jest.advanceTimersByTimeAsync(6_000);
    void session.signIn('google');
    await jest.advanceTimersByTimeAsync(9_999);
    expect(session.getSnapshot()).toMatchObject({ redirecting: true });
    await jest.advanceTimersByTimeAsync(1);
    expect(session.getSnapshot()).toMatchObject({ phase: 'signed out', redirecting: false });
    hash.mockRestore();
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
    ['no session', async () => 'no_session' as const],
    ['no network', async () => Promise.reject(new Error('offline'))],
  ])('is not cancelled by a late answer of %s', async (_, answer) => {
    sessionStorage.setItem(VERIFIER, 'v');
    const { session } = await started('http://localhost/auth/callback?code=old', ({ api }) => {
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
