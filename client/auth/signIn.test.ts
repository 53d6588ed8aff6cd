import { describe, expect, it, jest } from '@jest/globals';
import '../testing/browser.js';
import { aGrant, ada, isolateSessions, signedIn, started } from '../testing/session.js';
import { Refused } from '../refused.js';

const VERIFIER = 'tic-tac-toe.sign-in.code-verifier';

isolateSessions();

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

  it.each(['code=abc', 'error=access_denied'])('comes back to a duel with ?%s', async (result) => {
    const duel = '?duel=p-grace&day=2026-11-25';
    const { session } = await started(`http://localhost/${duel}`);
    jest.useRealTimers();
    await session.signIn('github');
    jest.useFakeTimers();
    const { page } = await started(`http://localhost/auth/callback?${result}`);
    expect(page.href()).toBe(`http://localhost/${duel}`);
    expect(sessionStorage).toHaveLength(0);
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
});

describe('A sign-in', () => {
  it('reports blocked cookies and does not redirect', async () => {
    const { session, page } = await started();
    jest.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false);
    await session.signIn('google');
    expect(session.getSnapshot()).toMatchObject({ error: expect.stringContaining('blocks cookies or storage') });
    expect(page.goTo).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  it.each([
    ['just begun', 0, 'blocked the sign-in cookie'],
    ['begun ten minutes ago', 600_000, 'has expired'],
  ])('that was %s and is unknown to the server: names the likely cause', async (_, age, sentence) => {
    sessionStorage.setItem(VERIFIER, 'v');
    sessionStorage.setItem('tic-tac-toe.sign-in.started', String(Date.now() - age));
    const { session } = await started('http://localhost/auth/callback?error=sign_in_expired');
    expect(session.getSnapshot()).toMatchObject({ error: expect.stringContaining(sentence) });
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
