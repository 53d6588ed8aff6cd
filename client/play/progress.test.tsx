import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { isolateGames, openGame, pass, playOut, user } from '../testing/game.js';
import { myProgress, type FakeServer } from '../testing/server.js';

let server: FakeServer;
isolateGames((next) => (server = next));

const reach = (reached: object, rank?: number) => {
  server.handlers.MyProgress = () => myProgress(reached, rank);
};
const notice = () => document.querySelector('.game-notice')?.textContent;

it('shows the draws in a row while hard is selected, with what beats the best', async () => {
  reach({ hardDrawsInARow: 3, bestHardDrawsInARow: 9 });
  await openGame();
  expect(notice()).toBe('');
  await user.click(screen.getByRole('radio', { name: 'Hard' }));
  await pass(100);
  expect(notice()).toBe('Draws in a row: 3. 7 more beat your best of 9.');
  await user.click(screen.getByRole('radio', { name: 'Easy' }));
  await pass(100);
  expect(notice()).toBe('');
});

it.each([
  [{}, 'Nobody beats this bot. How many draws in a row can you hold?'],
  [{ hardDrawsInARow: 1, bestHardDrawsInARow: 1 }, '1 draw: your best yet.'],
  [{ hardDrawsInARow: 8, bestHardDrawsInARow: 8 }, '8 draws in a row: your best yet.'],
  [{ hardDrawsInARow: 9, bestHardDrawsInARow: 9 }, '9 draws in a row: your best yet.'],
])('says of %j: %s', async (reached, said) => {
  reach(reached);
  await openGame();
  await user.click(screen.getByRole('radio', { name: 'Hard' }));
  await pass(100);
  expect(notice()).toBe(said);
});

it.each([
  [{ badges: ['first_medium_win'] }, 7, '🏅 New badge: First win on Medium'],
  [{ bestHardDrawsInARow: 5 }, 7, '🏅 New best: 5 draws in a row on Hard'],
  [{}, 3, '📈 Up to 3rd on the leaderboard'],
])('celebrates %j and place %i once: %s', async (reached, rank, said) => {
  reach({}, 7);
  await openGame();
  reach(reached, rank);
  await playOut('win');
  await pass(0);
  expect(notice()).toBe(said);
  await user.click(screen.getByRole('button', { name: 'New Game' }));
  expect(notice()).toBe('');
  await playOut('win');
  await pass(0);
  expect(notice()).toBe('');
});

it('celebrates nothing that was reached before, and no fall', async () => {
  reach({ badges: ['first_medium_win'], bestHardDrawsInARow: 5 }, 3);
  await openGame();
  reach({ badges: ['first_medium_win'], bestHardDrawsInARow: 5 }, 4);
  await playOut('win');
  await pass(0);
  expect(notice()).toBe('');
});
