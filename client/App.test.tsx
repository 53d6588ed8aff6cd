import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import './testing/browser.js';
import { noStats } from '../game/scoring.js';
import App from './App.js';
import { Gate } from './auth/Gate.js';
import { SessionContext } from './auth/SessionContext.js';
import { Session } from './auth/session.js';
import { aBadge, aCountedGame, aFakeServer, answerOfMe, myChallenge, myGames, myProgress } from './testing/server.js';
import { ada, aGrant, fakeDependencies } from './testing/session.js';
import { render } from './testing/render.js';

const server = aFakeServer();

beforeEach(() => {
  server.stats = { ...noStats, score: 128, winStreak: 1, wins: 141 };
});

async function open(name = ada.name) {
  const dependencies = fakeDependencies();
  dependencies.api.refresh.mockResolvedValue(aGrant({ player: { ...ada, name } }));
  const session = new Session(dependencies);
  render(
    <SessionContext value={session}>
      <Gate>
        <App />
      </Gate>
    </SessionContext>,
  );
  void session.start();
  const user = userEvent.setup();
  await screen.findByRole('grid');
  return user;
}

it('asks for the progress once, also when the account shows the badges', async () => {
  server.handlers.MySessions = () => ({ data: { mySessions: [] } });
  const badgeDetails = [aBadge('first_easy_win', { reached: true, reachedAt: '2026-03-20T12:00:00Z' })];
  server.handlers.MyAchievements = () => answerOfMe({ achievements: { __typename: 'Achievements', badgeDetails } });
  history.replaceState(null, '', '/?open=account');
  await open();
  expect(await screen.findByText('20 Mar 2026')).toBeVisible();
  expect(server.called('MyProgress')).toBe(1);
  expect(server.called('MyAchievements')).toBe(1);
});

it('takes over all that a game of the challenge changes', async () => {
  const game = (squares: number[], result: string | null) => ({
    __typename: 'ChallengeGame',
    number: 1,
    difficulty: 'hard',
    started: true,
    squares,
    result,
  });
  const attempt = (...games: object[]) => ({
    __typename: 'ChallengeAttempt',
    playerId: 'p-ada',
    day: '2026-11-22',
    games,
    totalMoves: null,
  });
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  Object.assign(server.handlers, {
    MyProgress: () => myProgress({ hardDrawsInARow: 6, bestHardDrawsInARow: 9 }),
    MyChallenge: () => myChallenge({ attempt: attempt(game([4, 0, 8, 2], null)), endsAt }),
    ChallengeTable: () => ({ data: { challenge: { __typename: 'Challenge', commitment: 'a hash', entries: [] } } }),
    PlayChallengeMove: () => {
      server.stats = { ...server.stats, losses: 1 };
      server.handlers.MyProgress = () => myProgress({ bestHardDrawsInARow: 9 });
      server.handlers.MyGames = () => myGames(aCountedGame({ result: 'lose' }));
      return {
        data: {
          playChallengeMove: {
            __typename: 'ChallengePlayed',
            attempt: attempt(game([4, 0, 8, 2, 3, 1], 'lose')),
            stats: server.playerStats(),
          },
        },
      };
    },
  });
  localStorage.setItem('tic-tac-toe.difficulty', 'hard');
  const user = await open();
  // A ticket that takes a moment hides it meanwhile.
  await waitFor(() => expect(screen.getByText(/\b6\b/, { selector: '.game-notice *' })).toBeVisible());
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('gridcell', { name: 'Middle left, empty' }));
  await waitFor(() => expect(screen.queryByText(/\b6\b/, { selector: '.game-notice *' })).toBeNull());
  expect(await screen.findByText('Loss')).toBeInTheDocument();
  expect(screen.getByText('Losses').parentElement).toHaveTextContent('Losses1');
});

it('loads what has failed when the server answers again', async () => {
  const { MyStats } = server.handlers;
  const fail = () => Promise.reject(new TypeError('Failed to fetch'));
  Object.assign(server.handlers, { MyStats: fail, MyGames: fail });
  await open();
  expect(await screen.findByText("Couldn't load your last games.")).toBeVisible();
  Object.assign(server.handlers, { MyStats, MyGames: () => myGames(aCountedGame()) });
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText('Win')).toBeVisible();
  expect(screen.queryByText("Couldn't load your last games.")).toBeNull();
  jest.mocked(console.warn).mockClear();
});

describe('the hint to link two accounts', () => {
  const hint = () => screen.queryByRole('button', { name: 'Played here with GitHub before? Keep one score.' });
  const signInAgain = async () => {
    cleanup();
    await open();
  };

  beforeEach(() => {
    server.stats = noStats;
    localStorage.setItem('tic-tac-toe.provider', 'github');
  });

  it('stays after a reload, until the player dismisses it for good', async () => {
    const user = await open();
    await user.click(hint()!);
    expect(await screen.findByRole('dialog', { name: 'Account' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(localStorage.getItem('tic-tac-toe.provider')).toBe('google');
    await signInAgain();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(hint()).toBeNull();
    localStorage.setItem('tic-tac-toe.provider', 'github');
    await signInAgain();
    expect(hint()).toBeNull();
  });

  it.each([
    ['an account with games', () => (server.stats = { ...noStats, losses: 1 })],
    ['the same provider', () => localStorage.setItem('tic-tac-toe.provider', 'google')],
    ['the first sign-in of a browser', () => localStorage.clear()],
  ])('is not for %s', async (_, prepare) => {
    prepare();
    await open();
    expect(hint()).toBeNull();
  });

  it('is for its player only', async () => {
    await open();
    localStorage.setItem('tic-tac-toe.provider.hint', 'p-other');
    await signInAgain();
    expect(hint()).toBeNull();
  });
});
