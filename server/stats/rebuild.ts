import { isDeepStrictEqual } from 'node:util';
import type { DataSource, EntityManager } from 'typeorm';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { addResult, noStats, type Stats } from '../../game/scoring.js';
import { PlayerStats } from './player-stats.entity.js';

/** Where what is stored is not what the games add up to. */
export interface Difference<Key, Value> {
  readonly key: Key;
  readonly stored: Value;
  readonly recomputed: Value;
}

export interface Rebuilt {
  readonly players: number;
  readonly games: number;
  /** By player. */
  readonly stats: readonly Difference<string, Stats>[];
  /** How many players have a score, by score: what standings rest on. */
  readonly scores: readonly Difference<number, number>[];
}

interface GameRow {
  player_id: string;
  number: number;
  result: Result;
  difficulty: Difficulty;
}

const PAGE = 10_000;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Adds up all games anew, by the same `game/scoring.ts` that the page uses, and compares. It reads one moment's state, so
 * servers may go on counting meanwhile.
 */
export function recompute(database: DataSource): Promise<Rebuilt> {
  return database.transaction('REPEATABLE READ', async (transaction) => {
    const { sums, games } = await addUp(transaction);
    const rows = await transaction.getRepository(PlayerStats).find();
    const stored = new Map(rows.map((row) => [row.playerId, statsOf(row)]));
    const counts: { score: number; players: number }[] = await transaction.query(
      'SELECT score, players FROM score_counts',
    );
    return {
      players: rows.length,
      games,
      stats: compare(stored, sums, noStats),
      scores: compare(new Map(counts.map(({ score, players }) => [score, players])), playersByScore(sums.values()), 0),
    };
  });
}

async function addUp(transaction: EntityManager): Promise<{ sums: Map<string, Stats>; games: number }> {
  const sums = new Map<string, Stats>();
  let games = 0;
  let last: Pick<GameRow, 'player_id' | 'number'> = { player_id: NO_ID, number: 0 };
  for (;;) {
    const page: GameRow[] = await transaction.query(
      `SELECT player_id, number, result, difficulty FROM games
       WHERE (player_id, number) > ($1, $2) ORDER BY player_id, number LIMIT ${PAGE}`,
      [last.player_id, last.number],
    );
    for (const { player_id, result, difficulty } of page) {
      sums.set(player_id, addResult(sums.get(player_id) ?? noStats, result, difficulty).stats);
    }
    games += page.length;
    if (page.length < PAGE) return { sums, games };
    last = page.at(-1)!;
  }
}

function statsOf(row: Stats): Stats {
  const { score, winStreak, wins, losses, draws, easyWins, mediumWins, hardWins } = row;
  return { score, winStreak, wins, losses, draws, easyWins, mediumWins, hardWins };
}

function playersByScore(sums: Iterable<Stats>): Map<number, number> {
  const players = new Map<number, number>();
  for (const { score } of sums) players.set(score, (players.get(score) ?? 0) + 1);
  return players;
}

/** What one of the two leaves out counts as `none`. */
function compare<Key, Value>(
  stored: ReadonlyMap<Key, Value>,
  recomputed: ReadonlyMap<Key, Value>,
  none: Value,
): Difference<Key, Value>[] {
  return [...new Set([...stored.keys(), ...recomputed.keys()])]
    .map((key) => ({ key, stored: stored.get(key) ?? none, recomputed: recomputed.get(key) ?? none }))
    .filter((pair) => !isDeepStrictEqual(pair.stored, pair.recomputed));
}
