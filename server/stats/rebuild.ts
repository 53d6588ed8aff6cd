import type { DataSource, EntityManager } from 'typeorm';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { addResult, noStats, type Stats } from '../../game/scoring.js';
import { PlayerStats } from './player-stats.entity.js';

/** Where the stats of a player are not what the player's games add up to. */
export interface Difference {
  readonly playerId: string;
  readonly stored: Stats;
  readonly recomputed: Stats;
}

export interface Rebuilt {
  readonly players: number;
  readonly games: number;
  readonly differences: readonly Difference[];
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
    const differences: Difference[] = [];
    const rows = await transaction.getRepository(PlayerStats).find();
    for (const row of rows) {
      const recomputed = sums.get(row.playerId) ?? noStats;
      const stored = statsOf(row);
      if (!same(stored, recomputed)) differences.push({ playerId: row.playerId, stored, recomputed });
      sums.delete(row.playerId);
    }
    for (const [playerId, recomputed] of sums) differences.push({ playerId, stored: noStats, recomputed });
    return { players: rows.length, games, differences };
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

function same(one: Stats, other: Stats): boolean {
  return (Object.keys(noStats) as (keyof Stats)[]).every((name) => one[name] === other[name]);
}
