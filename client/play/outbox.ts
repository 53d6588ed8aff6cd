import { isSquare } from '../../game/board.js';
import type { Square } from '../../game/board.js';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { outboxPrefix } from '../playerStorage.js';

/** A finished game that the server has not answered for good. */
export interface FinishedGame {
  readonly gameId: string;
  readonly ticket: string;
  readonly squares: readonly Square[];
  readonly difficulty: Difficulty;
  readonly result: Result;
  /** Milliseconds since the epoch: games are sent in the order they were finished. */
  readonly finishedAt: number;
  /** How many games the player has finished with this one; absent when the page did not know. */
  readonly nth?: number;
}

/**
 * The finished games of one player, kept in this browser until they are counted. Each has an entry of its own in the
 * storage, so that tabs never overwrite each other's.
 */
export class Outbox {
  private readonly prefix: string;
  /** What the storage would not take (full, switched off): it lasts as long as the page. */
  private readonly unstored = new Map<string, FinishedGame>();

  constructor(
    playerId: string,
    private readonly storage: Storage = localStorage,
  ) {
    this.prefix = outboxPrefix(playerId);
  }

  add(game: FinishedGame): void {
    try {
      this.storage.setItem(this.prefix + game.gameId, JSON.stringify(game));
    } catch {
      this.unstored.set(game.gameId, game);
    }
  }

  remove(gameId: string): void {
    this.unstored.delete(gameId);
    this.storage.removeItem(this.prefix + gameId);
  }

  /** Of a key of the storage. */
  isKeyOf(key: string | null): boolean {
    return key?.startsWith(this.prefix) ?? false;
  }

  list(): FinishedGame[] {
    const keys = Array.from({ length: this.storage.length }, (_, at) => this.storage.key(at));
    const stored = keys.flatMap((key) => (key && this.isKeyOf(key) ? this.read(key) : []));
    return [...stored, ...this.unstored.values()].sort((one, other) => one.finishedAt - other.finishedAt);
  }

  /** What cannot be read can never be sent. */
  private read(key: string): FinishedGame[] {
    try {
      const game = JSON.parse(this.storage.getItem(key) ?? '') as FinishedGame;
      const { gameId, ticket, squares, finishedAt } = game;
      const isGame = key === this.prefix + gameId && typeof ticket === 'string' && Number.isFinite(finishedAt);
      const nth = Number.isSafeInteger(game.nth) ? game.nth : undefined;
      if (isGame && squares.every(isSquare)) return [{ ...game, nth }];
    } catch {
      // It goes the same way.
    }
    this.storage.removeItem(key);
    return [];
  }
}
