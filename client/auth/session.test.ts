import { afterEach, describe, expect, it, jest } from '@jest/globals';
import '../testing/browser.js';
import { aGrant, aSession, ada, isolateSessions, signedIn, started } from '../testing/session.js';
import { lastPlayer } from './lastPlayer.js';

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
      error: expect.stringContaining('could not be reached'),
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
