import { beforeEach, expect, it, jest } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { CHALLENGE_DIFFICULTIES } from '../../game/challenge.js';
import '../testing/browser.js';
import { FakeServer, SignedIn, forgetEverything } from '../testing/server.js';
import Today from './Today.js';

let server: FakeServer;
let results: (string | null)[];

beforeEach(() => {
  forgetEverything();
  server = new FakeServer().install();
  results = [];
  server.handlers.MyChallenge = () => ({
    data: {
      myChallenge: {
        __typename: 'MyChallenge',
        attempt: {
          __typename: 'ChallengeAttempt',
          playerId: 'p-ada',
          day: '2026-11-22',
          games: CHALLENGE_DIFFICULTIES.map((difficulty, at) => ({
            __typename: 'ChallengeGame',
            number: at + 1,
            difficulty,
            started: at < results.length,
            squares: [],
            result: results[at] ?? null,
          })),
          totalMoves: results.length === 5 ? 18 : null,
        },
        endsAt: new Date(Date.now() + (5 * 60 + 12.5) * 60_000).toISOString(),
        par: results.length === 5 ? 17 : null,
        place: results.length === 5 ? 2 : null,
        players: 3,
      },
    },
  });
});

async function show() {
  const onOpen = jest.fn();
  render(<Today onOpen={onOpen} />, { wrapper: SignedIn });
  const panel = await screen.findByRole('region', { name: "Today's challenge" });
  await within(panel).findByText(/5 h 12 min/);
  return { panel: within(panel), onOpen };
}

it('says what there is to play, and how long', async () => {
  const { panel, onOpen } = await show();
  expect(panel.getByText('5 h 12 min left')).toBeVisible();
  expect(panel.getByText('Five games. One try a day.')).toBeVisible();
  await userEvent.setup().click(panel.getByRole('button', { name: 'Play' }));
  expect(onOpen).toHaveBeenCalled();
});

it('says that the server does not answer, and still opens the challenge', async () => {
  server.handlers.MyChallenge = () => Promise.reject(new TypeError('Failed to fetch'));
  const onOpen = jest.fn();
  render(<Today onOpen={onOpen} />, { wrapper: SignedIn });
  expect(await screen.findByText('The challenge could not be loaded.')).toBeVisible();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Play' }));
  expect(onOpen).toHaveBeenCalled();
});
