import { isSquare, type Square } from '../../game/board.js';
import { DIFFICULTIES, type Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { POINTS, addResult, gamesIn, type Stats } from '../../game/scoring.js';
import { outboxPrefix } from '../data/playerStorage.js';
import { stored } from '../ui/stored.js';

/** A finished game without a final answer of the server. */
export interface FinishedGame {
  readonly gameId: string;
  readonly ticket: string;
  readonly squares: readonly Square[];
  readonly difficulty: Difficulty;
  readonly result: Result;
  /** Milliseconds since the epoch. Games are sent in this order. */
  readonly finishedAt: number;
  /** The number of the player's finished games including this one; absent when the page does not know it. */
  readonly nth?: number;
}

/**
 * Stores a player's finished games in this browser until they are counted. Each game has its own storage key, so that
 * tabs do not overwrite each other's games.
 */
export class Outbox {
  private readonly prefix: string;

  constructor(playerId: string) {
    this.prefix = outboxPrefix(playerId);
  }

  add(game: FinishedGame): void {
    stored.set(this.prefix + game.gameId, JSON.stringify(game));
  }

  remove(gameId: string): void {
    stored.set(this.prefix + gameId, null);
  }

  list(): FinishedGame[] {
    const games = this.keys().flatMap((key) => this.read(key));
    return games.sort((one, other) => one.finishedAt - other.finishedAt);
  }

  needsTab(): boolean {
    return this.keys().some(stored.isRefused);
  }

  private keys(): string[] {
    return stored.keys().filter((key) => key.startsWith(this.prefix));
  }

  /** Removes an invalid entry, because it can never be sent. */
  private read(key: string): FinishedGame[] {
    try {
      const game = JSON.parse(stored.get(key) ?? '') as FinishedGame;
      const { gameId, ticket, squares, finishedAt } = game;
      const isGame = key === this.prefix + gameId && typeof ticket === 'string' && Number.isFinite(finishedAt);
      const nth = Number.isSafeInteger(game.nth) ? game.nth : undefined;
      if (isGame && squares.every(isSquare)) return [{ ...game, nth }];
    } catch {
      // Invalid JSON: remove the entry below.
    }
    stored.set(key, null);
    return [];
  }
}

/**
 * Adds pending games to the server's stats. The server may already have counted a pending game when its answer was lost
 * or went to another tab. The game's number then shows that the stats include it.
 */
export function addPending(stats: Stats, pending: readonly FinishedGame[]): Stats {
  const known = gamesIn(stats);
  return pending
    .filter(({ nth }) => nth === undefined || nth > known)
    .filter(({ result, difficulty }) => Object.hasOwn(POINTS, result) && DIFFICULTIES.includes(difficulty))
    .reduce((sum, { result, difficulty }) => addResult(sum, result, difficulty).stats, stats);
}
