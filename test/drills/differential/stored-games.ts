import type { Difficulty } from '../../../game/bot.js';
import type { Result } from '../../../game/rules.js';
import type { Side } from './side.js';

export interface StoredGame {
  readonly player_id: string;
  readonly id: string;
  readonly number: number;
  readonly source: string;
  readonly difficulty: Difficulty;
  readonly result: Result;
  readonly bonus: boolean;
  readonly points: number;
  readonly finished_at: Date;
}

export type GamesByPlayer = ReadonlyMap<string, readonly StoredGame[]>;

/** The games of one side. It remembers those that leave the database with an archive. */
export class StoredGames {
  private archived: StoredGame[] = [];

  constructor(private readonly side: Side) {}

  private read(): Promise<StoredGame[]> {
    return this.side.query<StoredGame & Record<string, unknown>>(
      `SELECT player_id, id, number, source, difficulty, result, bonus, points, finished_at FROM games
       ORDER BY player_id, number`,
    );
  }

  /** Archives, and remembers the games that are gone then. */
  async whileArchiving<T>(archive: () => Promise<T>): Promise<T> {
    const before = await this.read();
    const result = await archive();
    const left = new Set((await this.read()).map(({ player_id, id }) => player_id + id));
    this.archived = before.filter(({ player_id, id }) => !left.has(player_id + id));
    return result;
  }

  /** All games by the player who played them, in the order of their numbers. */
  async byPlayer(): Promise<GamesByPlayer> {
    const games = new Map<string, StoredGame[]>();
    for (const game of [...this.archived, ...(await this.read())]) {
      const own = games.get(game.player_id);
      if (own) own.push(game);
      else games.set(game.player_id, [game]);
    }
    return games;
  }
}
