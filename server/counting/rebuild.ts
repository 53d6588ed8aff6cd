import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Between, type DataSource, type EntityManager } from 'typeorm';
import type { Week } from '../../game/week.js';
import { EVERYBODY, foldGames, type IdRange } from './player-folds.js';
import { PlayerStats } from './tables/player-stats.entity.js';
import { PlayerWeek } from './tables/player-week.entity.js';
import { recountPlayer } from './recount.js';
import { noSums, type PlayerSums, SUMS, type WeekSums } from './sums.js';
import { typeOf } from './sums-tables.js';

/** A stored value that differs from the fold of the games. */
interface Difference<Value> {
  /** The player, and after a space what it is about. */
  readonly key: string;
  readonly stored: Value;
  readonly recomputed: Value;
}

export interface Rebuilt {
  readonly players: number;
  readonly games: number;
  readonly differences: readonly Difference<unknown>[];
}

/**
 * Recomputes all sums from the games by the rules, and compares them with the stored ones. It reads one snapshot, so servers may
 * keep counting games.
 * @param sample recounts the games of so many random players
 */
export function recompute(database: DataSource, sample?: number): Promise<Rebuilt> {
  return database.transaction('REPEATABLE READ', async (transaction) => {
    const ids = sample === undefined ? EVERYBODY : await randomRange(transaction, sample);
    const folds = await foldGames(transaction, ids);
    const stats = await transaction.getRepository(PlayerStats).findBy({ playerId: Between(ids.first, ids.last) });
    const weeks = await transaction.getRepository(PlayerWeek).findBy({ playerId: Between(ids.first, ids.last) });
    const wrong = [...folds.values()].flatMap((fold) => fold.wrong);
    return {
      players: stats.length,
      games: [...folds.values()].reduce((sum, fold) => sum + fold.games, 0),
      differences: [
        ...differencesOf(
          stats.map((row) => [row.playerId, compared(row)]),
          [...folds].map(([player, { sums }]) => [player, compared(sums)]),
          compared(noSums),
        ),
        ...differencesOf(
          weeks.map((row) => [weekKey(row.playerId, row.week), comparedWeek(row)]),
          [...folds].flatMap(([player, fold]) =>
            [...fold.weeks].map(([week, sums]) => [weekKey(player, week), comparedWeek(sums)] as const),
          ),
          null,
        ),
        ...wrong.map(({ playerId, stored, recomputed }) => ({
          key: `${playerId} game ${stored.number}`,
          stored,
          recomputed,
        })),
      ],
    };
  });
}

/**
 * Corrects what a comparison has found, each player under the lock that a writer needs, so servers may keep counting.
 * @returns the number of recounted players
 */
export async function repair(database: DataSource, { differences }: Rebuilt): Promise<number> {
  const players = new Set(differences.map(({ key }) => key.split(' ')[0]!));
  for (const player of players) await database.transaction((transaction) => recountPlayer(transaction, player));
  return players.size;
}

/** Ids are random, so the next ones from a random id on are random players. */
async function randomRange(transaction: EntityManager, players: number): Promise<IdRange> {
  const first = randomUUID();
  const from = `SELECT player_id FROM player_stats WHERE player_id >= $1 ORDER BY player_id LIMIT ${players}`;
  const found = await transaction.query<{ player_id: string }[]>(from, [first]);
  if (found.length === players) return { first, last: found.at(-1)!.player_id };
  const before = `SELECT player_id FROM player_stats ORDER BY player_id DESC LIMIT ${players}`;
  const last = await transaction.query<{ player_id: string }[]>(before);
  return { first: last.at(-1)?.player_id ?? EVERYBODY.first, last: EVERYBODY.last };
}

const weekKey = (playerId: string, week: Week) => `${playerId} ${week}`;

/** Without the times: a recount may differ in them. */
function compared(sums: PlayerSums): Partial<PlayerSums> {
  const names = SUMS.filter((name) => typeOf(name) !== 'timestamptz');
  return Object.fromEntries(names.map((name) => [name, sums[name]]));
}

const comparedWeek = ({ score, wins, losses, draws }: WeekSums) => ({ score, wins, losses, draws });

/** A key that is missing on one side has the value `none` there. */
function differencesOf<Value>(
  stored: readonly (readonly [string, Value])[],
  recomputed: readonly (readonly [string, Value])[],
  none: Value | null,
): Difference<Value | null>[] {
  const [before, after] = [new Map(stored), new Map(recomputed)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ key, stored: before.get(key) ?? none, recomputed: after.get(key) ?? none }))
    .filter((pair) => !isDeepStrictEqual(pair.stored, pair.recomputed));
}
