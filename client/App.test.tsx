import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import './testing/browser.js';
import { noStats } from '../game/scoring.js';
import App from './App.js';
import { Gate } from './auth/Gate.js';
import { SessionContext } from './auth/SessionContext.js';
import { Session } from './auth/session.js';
import { aBadge, aFakeServer, answerOfMe } from './testing/server.js';
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
    // The dialog may still load.
    await act(() => user.click(hint()!));
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
