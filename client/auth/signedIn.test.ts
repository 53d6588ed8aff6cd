import { describe, expect, it, jest } from '@jest/globals';
import '../testing/browser.js';
import { aGrant, ada, isolateSessions, signedIn } from '../testing/session.js';

isolateSessions();

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
    expect(session.getSnapshot()).toMatchObject({ error: expect.stringContaining('has ended') });
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
