import type { DataSource } from 'typeorm';
import { run } from '../database/statements.js';
import { columnOf, select } from '../database/entity-columns.js';
import { GAME, type Game } from './game.entity.js';
import type { GameToCount } from './game-limits.js';
import { noSums, type PlayerSums } from './sums.js';
import { SUMS } from './player-stats.repository.js';

export interface StoredGame extends Game {
  /** Whether a decision has taken it out of the sums. */
  readonly voided: boolean;
}

/** What is stored of a player whose games are about to be counted. */
export interface PlayerFacts {
  readonly sums: PlayerSums;
  readonly version: number;
  /** Those of the given games that were counted before. */
  readonly games: Map<string, StoredGame>;
}

const STORED = Object.keys(GAME).map((field) => `'${field}', g.${columnOf(field)}`);

const stored = (table: 'games' | 'voided_games') => `(
  SELECT json_build_object(${STORED.join(', ')}, 'voided', ${table === 'voided_games'})
  FROM ${table} g WHERE g.player_id = ANY ($1) AND g.player_id = p.id AND g.id = given.game_id)`;

/**
 * One row for each game of a player who exists. A joined `games` would be read by the player alone, who can have thousands of
 * games, so the same game is searched for each row, by the key. Citus finds the shard by `$1`.
 */
const FACTS = {
  name: 'facts-of-games',
  text: `SELECT p.id AS "playerId", ${select({ version: 'integer', ...SUMS }, 's')},
     coalesce(${stored('games')}, ${stored('voided_games')}) AS game
   FROM unnest($1::uuid[], $2::uuid[]) AS given (player_id, game_id)
   JOIN players p ON p.id = given.player_id
   LEFT JOIN player_stats s ON s.player_id = p.id
   WHERE p.id = ANY ($1)`,
};

/** Without a version, the player has no sums yet. */
interface FactsRow extends PlayerSums {
  readonly playerId: string;
  readonly version: number | null;
  readonly game: StoredAsJson | null;
}

/** The facts about the players of these games, by player. A player who is gone has none. */
export async function readFacts(
  database: DataSource,
  games: readonly GameToCount[],
): Promise<ReadonlyMap<string, PlayerFacts>> {
  const rows = await run<FactsRow>(database, {
    ...FACTS,
    values: [games.map(({ game }) => game.playerId), games.map(({ game }) => game.id)],
  });
  const players = new Map<string, PlayerFacts>();
  for (const { playerId, version, game, ...sums } of rows) {
    const known = players.get(playerId) ?? {
      sums: version === null ? noSums : sums,
      version: version ?? 0,
      games: new Map(),
    };
    if (game) known.games.set(game.id, storedIn(game));
    players.set(playerId, known);
  }
  return players;
}

type StoredAsJson = Omit<StoredGame, 'startedAt' | 'finishedAt'> & {
  readonly startedAt: string | null;
  readonly finishedAt: string;
};

const storedIn = (game: StoredAsJson): StoredGame => ({
  ...game,
  startedAt: game.startedAt === null ? null : new Date(game.startedAt),
  finishedAt: new Date(game.finishedAt),
});
