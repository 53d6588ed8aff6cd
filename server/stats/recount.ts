import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Between, type DataSource, type EntityManager, MoreThanOrEqual } from 'typeorm';
import { type Week, weekOf } from '../../game/week.js';
import { Clock } from '../base/clock.js';
import { select } from '../database/entity-columns.js';
import { GAME, type Game } from './game.entity.js';
import { PlayerStats, PlayerWeek } from './player-stats.entity.js';
import { oldestWeek, storeSums, storeWeeks, SUMS } from './player-stats.repository.js';
import { addGame, addToWeeks, noSums, type PlayerSums, type Weeks, type WeekSums } from './sums.js';

/** Numbers a player's games again without a gap, and writes bonuses, points and all sums anew, by the rules. */
export async function recountPlayer(transaction: EntityManager, playerId: string): Promise<void> {
  const stats = transaction.getRepository(PlayerStats);
  // Writers that have read the sums before find another version afterwards, and read again.
  const locked = await stats.findOne({ where: { playerId }, lock: { mode: 'for_no_key_update' } });
  const stored = locked ?? { version: 0, reachedAt: new Date(0) };
  const folds = await foldGames(transaction, { first: playerId, last: playerId });
  const fold = folds.get(playerId) ?? foldPlayer([]);
  const corrections = fold.wrong.map((game) => ({ id: game.id, ...game.recounted }));
  if (corrections.length > 0) await transaction.query(CORRECT, [playerId, JSON.stringify(corrections)]);
  const reachedAt = fold.sums.reachedAt ?? stored.reachedAt;
  await storeSums(transaction, { playerId, version: stored.version + 1, ...fold.sums, reachedAt });
  await transaction.getRepository(PlayerWeek).delete({ playerId });
  const weeks = [...fold.weeks].map(([week, sums]) => ({ playerId, week, ...sums }));
  await storeWeeks(transaction, weeks);
}

const CORRECT = `
  UPDATE games g SET number = c.number, bonus = c.bonus, points = c.points
  FROM json_to_recordset($2) AS c (id uuid, number integer, bonus boolean, points smallint)
  WHERE g.player_id = $1 AND g.id = c.id`;

/** What the rules make of a player's games. */
interface PlayerFold {
  readonly sums: PlayerSums;
  readonly weeks: Weeks;
  readonly games: number;
  /** Games whose number, bonus or points differ from the rules. */
  readonly wrong: readonly (Difference<Pick<Game, 'number' | 'bonus' | 'points'>> & Pick<Game, 'id'>)[];
}

/** A stored value that differs from the fold of the games. */
interface Difference<Value> {
  /** The player, and after a space what it is about. */
  readonly key: string;
  readonly stored: Value;
  readonly recounted: Value;
}

/** Players by their ids, both included. */
interface IdRange {
  readonly first: string;
  readonly last: string;
}

const EVERYBODY: IdRange = {
  first: '00000000-0000-0000-0000-000000000000',
  last: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** Folds all games of each of these players, by `addGame`. */
async function foldGames(transaction: EntityManager, ids: IdRange): Promise<Map<string, PlayerFold>> {
  const folds = new Map<string, PlayerFold>();
  for await (const games of gamesByPlayer(transaction, ids)) folds.set(games[0]!.playerId, foldPlayer(games));
  return folds;
}

function foldPlayer(games: readonly Game[]): PlayerFold {
  const weeks: Weeks = new Map();
  const oldest = oldestWeek(new Clock().now());
  const wrong = [];
  let sums = noSums;
  for (const [at, game] of games.toSorted((one, other) => one.number - other.number).entries()) {
    const { points, bonus, ...added } = addGame(sums, game);
    ({ sums } = added);
    if (weekOf(game.finishedAt) >= oldest) addToWeeks(weeks, game, points);
    const stored = { number: game.number, bonus: game.bonus, points: game.points };
    const recounted = { number: at + 1, bonus, points };
    const key = `${game.playerId} game ${game.number}`;
    if (!isDeepStrictEqual(stored, recounted)) wrong.push({ key, id: game.id, stored, recounted });
  }
  return { sums, weeks, games: games.length, wrong };
}

const PAGE = 10_000;

const GAMES = `
  SELECT ${select(GAME, 'g')} FROM games g WHERE (player_id, id) > ($1, $2) AND player_id <= $3
  ORDER BY player_id, id LIMIT ${PAGE}`;

/** The games of one player after those of another, read page by page in the order of the key. */
async function* gamesByPlayer(transaction: EntityManager, { first, last }: IdRange): AsyncGenerator<Game[]> {
  let player: Game[] = [];
  let read: Game | undefined;
  for (;;) {
    const after = [read?.playerId ?? first, read?.id ?? EVERYBODY.first];
    const page = await transaction.query<Game[]>(GAMES, [...after, last]);
    for (const game of page) {
      if (player.length > 0 && game.playerId !== player[0]!.playerId) {
        yield player;
        player = [];
      }
      player.push(game);
    }
    if (page.length < PAGE) break;
    read = page.at(-1);
  }
  if (player.length > 0) yield player;
}

export interface Recount {
  readonly players: number;
  readonly games: number;
  readonly differences: readonly Difference<unknown>[];
}

/**
 * Recounts all sums from the games by the rules, and compares them with the stored ones. It reads one snapshot, so servers may
 * keep counting games.
 * @param sample recounts the games of so many random players
 */
export function recount(database: DataSource, sample?: number): Promise<Recount> {
  return database.transaction('REPEATABLE READ', async (transaction) => {
    const ids = sample === undefined ? EVERYBODY : await randomRange(transaction, sample);
    const folds = await foldGames(transaction, ids);
    const playerId = Between(ids.first, ids.last);
    const stats = await transaction.getRepository(PlayerStats).findBy({ playerId });
    const week = MoreThanOrEqual(oldestWeek(new Clock().now()));
    const weeks = await transaction.getRepository(PlayerWeek).findBy({ playerId, week });
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
        ...wrong.map(({ key, stored, recounted }) => ({ key, stored, recounted })),
      ],
    };
  });
}

/** Recounts the players of the differences, each under the lock of a writer, so servers may keep counting. */
export async function repair(database: DataSource, { differences }: Recount): Promise<number> {
  const players = new Set(differences.map(({ key }) => key.split(' ')[0]!));
  for (const player of players) await database.transaction((transaction) => recountPlayer(transaction, player));
  return players.size;
}

/** Ids are random, so the next ones from a random id on are random players. */
async function randomRange(transaction: EntityManager, players: number): Promise<IdRange> {
  const first = randomUUID();
  const stats = transaction.getRepository(PlayerStats);
  const select = { playerId: true } as const;
  const where = { playerId: MoreThanOrEqual(first) };
  const found = await stats.find({ select, where, order: { playerId: 'ASC' }, take: players });
  if (found.length === players) return { first, last: found.at(-1)!.playerId };
  const last = await stats.find({ select, order: { playerId: 'DESC' }, take: players });
  return { first: last.at(-1)?.playerId ?? EVERYBODY.first, last: EVERYBODY.last };
}

const weekKey = (playerId: string, week: Week) => `${playerId} ${week}`;

/** Whether there is a time, because a recount may differ in it. Without games the player keeps `reachedAt`. */
function compared(sums: PlayerSums): Partial<Record<string, unknown>> {
  const entries = Object.entries(sums).filter(([sum]) => sum in SUMS && sum !== 'reachedAt');
  return Object.fromEntries(entries.map(([sum, value]) => [sum, SUMS[sum] === 'timestamptz' ? value !== null : value]));
}

const comparedWeek = ({ score, wins, losses, draws, programGames }: WeekSums) => {
  return { score, wins, losses, draws, programGames };
};

/** A key that is missing on one side has the value `none` there. */
function differencesOf<Value>(
  stored: readonly (readonly [string, Value])[],
  recounted: readonly (readonly [string, Value])[],
  none: Value | null,
): Difference<Value | null>[] {
  const [before, after] = [new Map(stored), new Map(recounted)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ key, stored: before.get(key) ?? none, recounted: after.get(key) ?? none }))
    .filter((pair) => !isDeepStrictEqual(pair.stored, pair.recounted));
}
