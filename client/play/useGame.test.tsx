import { expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { isolateGames, marks, openGame, pass, squareAt, user } from '../testing/game.js';
import type { FakeServer } from '../testing/server.js';

let server: FakeServer;
isolateGames((next) => (server = next));

it('counts two clicks before a render as one', async () => {
  await openGame();
  act(() => {
    squareAt(0).click();
    squareAt(1).click();
  });
  expect(marks('X')).toBe(1);
});

it('has the next ticket before New Game, and reuses the ticket of an unplayed game', async () => {
  await openGame();
  const fetched = server.called('StartGame');
  expect(fetched).toBe(4);
  await user.click(screen.getByRole('button', { name: 'New Game' }));
  await user.click(screen.getByRole('button', { name: 'New Game' }));
  await pass(0);
  expect(server.called('StartGame')).toBe(fetched);
});
