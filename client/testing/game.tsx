import { afterEach, beforeEach, jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Difficulty } from '../../game/bot.js';
import { replay } from '../../game/replay.js';
import type { Result } from '../../game/rules.js';
import { GameCard } from '../play/GameCard.js';
import { useDelivery } from '../play/delivery.js';
import type { FinishedGame } from '../play/outbox.js';
import './browser.js';
import { FakeServer, SignedIn, forgetEverything } from './server.js';

/** A game that the page has finished and not sent yet. */
export const aFinishedGame = (gameId: string, finishedAt = 1): FinishedGame => ({
  gameId,
  ticket: `ticket of ${gameId}`,
  squares: [4, 0, 8],
  difficulty: 'easy',
  result: 'win',
  finishedAt,
});

/** Gives each test of a file fake timers, empty storages and a server. */
export function isolateGames(use: (server: FakeServer) => void): void {
  beforeEach(() => {
    jest.useFakeTimers();
    forgetEverything();
    use(new FakeServer().install());
  });
  afterEach(() => void jest.useRealTimers());
}

export const user = userEvent.setup({ advanceTimers: (milliseconds) => jest.advanceTimersByTime(milliseconds) });

const ignore = () => undefined;

/** The card of a game, with the score below it. */
export function Game({ ended = false }: { ended?: boolean }) {
  const deliveries = useDelivery('p-ada');
  const { stats: shownStats } = deliveries;
  const rest = {
    playerId: 'p-ada',
    deliveries,
    ended,
    onBonus: ignore,
    onGameOnBoard: ignore,
    onNewGame: ignore,
    onSignInAgain: ignore,
  };
  return (
    <>
      <GameCard {...rest} />
      <p>score {shownStats.score}</p>
    </>
  );
}

export async function openGame() {
  const page = render(<Game />, { wrapper: SignedIn });
  await pass(0);
  return page;
}

export const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
export const squareAt = (square: number) => screen.getAllByRole('gridcell')[square] as HTMLElement;
export const marks = (mark: 'X' | 'O') => screen.queryAllByRole('gridcell', { name: new RegExp(`, ${mark}$`) }).length;
export const click = (square: number) => user.click(squareAt(square));

/** Finds the player's squares of a game against this seed's bot with this result. */
function squaresFor(result: Result, difficulty: Difficulty = 'medium', seed = 'seed'): number[] {
  const search = (squares: number[]): number[] | null => {
    const played = replay({ difficulty, seed, squares });
    if (played.ok) return played.game.result === result ? squares : null;
    if (played.reason !== 'unfinished') return null;
    for (let next = 0; next < 9; next++) {
      const found = squares.includes(next) ? null : search([...squares, next]);
      if (found) return found;
    }
    return null;
  };
  const found = search([]);
  if (!found) throw new Error(`No game against ${seed} ends in a ${result}`);
  return found;
}

/** Plays the game to the end, and returns the player's squares. */
export async function playOut(result: Result): Promise<number[]> {
  const squares = squaresFor(result);
  for (const square of squares) {
    await click(square);
    await pass(500);
  }
  return squares;
}
