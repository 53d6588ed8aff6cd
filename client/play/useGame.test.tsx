import { expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import type { Result } from '../../game/rules.js';
import {
  announced,
  click,
  isolateGames,
  marks,
  onNewGame,
  onSaved,
  openGame,
  pass,
  playOut,
  squareAt,
  user,
} from '../testing/game.js';
import type { FakeServer } from '../testing/server.js';
import { aCountedGame, graphqlError } from '../testing/server.js';

let server: FakeServer;
isolateGames((next) => (server = next));

it("lets the bot mark O half a second after the player's X", async () => {
  await openGame();
  expect(screen.getByText('Your turn (X)')).toBeVisible();
  await click(4);
  expect(squareAt(4)).toHaveAccessibleName('Centre, X');
  expect(announced()).toBe("You marked centre. Bot's turn (O)...");
  expect(screen.getByText("Bot's turn (O)...")).toBeVisible();
  await pass(499);
  expect(marks('O')).toBe(0);
  await pass(1);
  expect(marks('O')).toBe(1);
  expect(screen.getByText('Your turn (X)')).toBeVisible();
});

it("ignores clicks on a marked square and during the bot's turn", async () => {
  await openGame();
  await click(4);
  await click(4);
  await click(0);
  expect(marks('X')).toBe(1);
  await pass(500);
  await click(4);
  expect(marks('X')).toBe(1);
});

it('counts two clicks before a render as one', async () => {
  await openGame();
  act(() => {
    squareAt(0).click();
    squareAt(1).click();
  });
  expect(marks('X')).toBe(1);
});

it.each<[Result, string]>([
  ['win', '🎊 YOU WIN! +1 Point'],
  ['lose', '😢 BOT WINS! -1 Point'],
  ['draw', "🤝 IT'S A DRAW!"],
])("a %s shows its message, ends the game and sends the player's squares with the ticket", async (result, message) => {
  await openGame();
  const squares = await playOut(result);
  expect(screen.getByText(message)).toBeVisible();
  expect(announced()).toMatch(/^(You|Bot) marked /);
  expect(announced()!.endsWith(message)).toBe(true);
  expect(server.calls.filter(({ operation }) => operation === 'FinishGame').map(({ variables }) => variables)).toEqual([
    { ticket: 'ticket-1', squares },
  ]);
  expect(onSaved).toHaveBeenCalled();
  const before = marks('X');
  for (let square = 0; square < 9; square++) await click(square);
  expect(marks('X')).toBe(before);
});

it.each([
  [1, false],
  [2, true],
])('after a streak of %s, a win shows the bonus message: %s', async (streak, shown) => {
  server.handlers.FinishGame = () => ({
    data: {
      finishGame: {
        __typename: 'GameCounted',
        game: aCountedGame({ bonus: streak === 2 }),
        stats: server.playerStats(),
        countsFrom: null,
      },
    },
  });
  await openGame(streak);
  await playOut('win');
  expect(screen.queryAllByText('🎉 3 WINS IN A ROW! +1 BONUS POINT!')).toHaveLength(shown ? 1 : 0);
});

it("clears the board and cancels the bot's pending move at New Game", async () => {
  await openGame();
  await click(4);
  await pass(300);
  await user.click(screen.getByRole('button', { name: 'New Game' }));
  await pass(1000);
  expect(marks('X') + marks('O')).toBe(0);
  expect(screen.getByText('Your turn (X)')).toBeVisible();
  expect(announced()).toBe('New game. Your turn (X)');
  expect(onNewGame).toHaveBeenCalled();
});

it('locks the difficulty while a game is in progress', async () => {
  await openGame();
  expect(screen.getByRole('radio', { name: 'Medium' })).toBeChecked();
  expect(screen.getByRole('radio', { name: 'Medium' })).toHaveAccessibleDescription('50% smart moves');
  await click(4);
  expect(screen.getByRole('radio', { name: 'Hard' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'New Game' }));
  expect(screen.getByRole('radio', { name: 'Hard' })).toBeEnabled();
});

it('resets the game 100 ms after a change of the difficulty', async () => {
  await openGame();
  await playOut('lose');
  act(() => screen.getByRole('radio', { name: 'Easy' }).click());
  expect(screen.getByRole('radio', { name: 'Easy' })).toBeChecked();
  await pass(99);
  expect(screen.getByText('😢 BOT WINS! -1 Point')).toBeVisible();
  await pass(1);
  expect(marks('X') + marks('O')).toBe(0);
  expect(screen.getByText('Your turn (X)')).toBeVisible();
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

it('announces a practice game before the first move when there is no ticket, and sends nothing', async () => {
  server.handlers.StartGame = () => graphqlError('INTERNAL_SERVER_ERROR');
  await openGame();
  expect(screen.getByText(/^Practice game:/)).toBeVisible();
  await click(4);
  await pass(500);
  expect(marks('O')).toBe(1);
  expect(server.called('FinishGame')).toBe(0);
});

it('announces each move together with its result in one live region', async () => {
  await openGame(2);
  const said: string[] = [];
  const live = document.querySelectorAll('[aria-live], [role=status], [role=alert]');
  const watch = new MutationObserver((changes) => {
    const regions = new Set(changes.map(({ target }) => [...live].find((region) => region.contains(target))));
    for (const region of regions) if (region?.textContent) said.push(region.textContent);
  });
  for (const region of live) watch.observe(region, { subtree: true, childList: true, characterData: true });
  const moves = await playOut('win');
  expect(said).toHaveLength(2 * moves.length - 1);
  for (const [at, text] of said.slice(0, -1).entries()) {
    expect(text).toMatch(
      at % 2 === 0 ? /^You marked [a-z ]+\. Bot's turn \(O\)\.\.\.$/ : /^Bot marked [a-z ]+\. Your turn \(X\)$/,
    );
  }
  expect(said.at(-1)).toMatch(/^You marked [a-z ]+\. 🎊 YOU WIN! \+1 Point 🎉 3 WINS IN A ROW! \+1 BONUS POINT!$/);
  watch.disconnect();
});
