import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Between, type DataSource, type EntityManager } from 'typeorm';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { addResult, gamesIn, mergeStats, noStats, pickStats, type Stats } from '../../game/scoring.js';
import { weekOf } from '../../game/week.js';
import { archivedSums, archivedWeeks } from './archived-stats.js';
import { addGames, addToWeek, addWeeks, type Day, emptyWeek, type WeekSums } from './game-sums.js';
import { PlayerStats } from './player-stats.entity.js';
import { PlayerWeek } from './player-week.entity.js';

/** A stored value that differs from the sum of the games. */
interface Difference<Key, Value> {
  readonly key: Key;
  readonly stored: Value;
  readonly recomputed: Value;
}

export interface Rebuilt {
  readonly players: number;
  /** With the archived ones. */
  readonly games: number;
  /** By player. */
  readonly stats: readonly Difference<string, Stats>[];
  /** The number of listed players with each score and each hundred of scores. Standings are computed from them. */
  readonly scores: readonly Difference<string, number>[];
  /** The number of verified games on a player's newest day, by player. The daily limit uses it. */
  readonly days: readonly Difference<string, Day | null>[];
  /** The sums of verified games, by player and week. */
  readonly weeks: readonly Difference<string, WeekSums | null>[];
  /** The points of single games, by player and number. */
  readonly points: readonly Difference<string, number>[];
}

interface GameRow {
  player_id: string;
  number: number;
  /** As text, to the microsecond. */
  finished_at: string;
  result: Result;
  difficulty: Difficulty;
  points: number;
  /** Null where the result was reported. */
  verified_day: string | null;
}

/** A game whose points differ from the rules. */
interface WrongGame {
  readonly player: string;
  readonly number: number;
  readonly stored: number;
  readonly recomputed: number;
}

interface Sums {
  readonly stats: Map<string, Stats>;
  readonly days: Map<string, Day>;
  readonly weeks: Map<string, WeekSums>;
  wrongGames: WrongGame[];
  games: number;
}

const PAGE = 10_000;

interface IdRange {
  readonly first: string;
  readonly last: string;
}

const ALL: IdRange = {
  first: '00000000-0000-0000-0000-000000000000',
  last: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/**
 * Recomputes the sums from all games with `game/scoring.ts`, and compares them with the stored ones. The sums of archived
 * games are given. It reads one snapshot, so servers may keep counting games.
 * @param sample recounts the games of so many random players; the counts of scores are then compared with the stored stats
 */
export function recompute(database: DataSource, sample?: number): Promise<Rebuilt> {
  return database.transaction('REPEATABLE READ', async (transaction) => {
    // Before the snapshot: no month leaves the table until the end.
    await transaction.query('LOCK TABLE games IN ACCESS SHARE MODE');
    const ids = sample === undefined ? ALL : await randomRange(transaction, sample);
    const sums = await addUp(transaction, ids);
    await addMerged(sums, ids, transaction);
    const rows = await transaction.getRepository(PlayerStats).findBy({ playerId: Between(ids.first, ids.last) });
    const stored = new Map(rows.map((row) => [row.playerId, pickStats(row)]));
    const counts: { score: number; players: number }[] = await transaction.query(
      'SELECT score, players FROM score_counts',
    );
    const scores = new Map(counts.map(({ score, players }) => [score, players]));
    const unlisted = new Set(rows.filter(({ listed }) => !listed).map(({ playerId }) => playerId));
    const listed = [...sums.stats].filter(([player]) => !unlisted.has(player)).map(([, player]) => player);
    const players = sample === undefined ? playersByScore(listed) : await storedByScore(transaction);
    const wrongScores = compare(scores, players, 0).map(({ key, ...counts }) => ({ key: `score ${key}`, ...counts }));
    // Players without a verified game since the column exists have no day to compare.
    const known = rows.filter(({ verifiedDay }) => verifiedDay !== null);
    const days = new Map(known.map((row) => [row.playerId, dayOf(row)]));
    const daysOfKnown = new Map([...days.keys()].map((player) => [player, sums.days.get(player) ?? null]));
    const storedWeeks = await transaction.getRepository(PlayerWeek).findBy({ playerId: Between(ids.first, ids.last) });
    const weeks = new Map(storedWeeks.map((row) => [weekKey(row.playerId, row.week), sumsOf(row)]));
    return {
      players: rows.length,
      games: sums.games,
      stats: compare(stored, sums.stats, noStats),
      scores: [...wrongScores, ...(await wrongHundreds(transaction))],
      days: compare(days, daysOfKnown, null),
      weeks: compare(weeks, sums.weeks, null),
      points: sums.wrongGames.map(({ player, number, ...points }) => ({ key: `${player} game ${number}`, ...points })),
    };
  });
}

/** Ids are random, so the next ones from a random id on are random players. */
async function randomRange(transaction: EntityManager, players: number): Promise<IdRange> {
  const first = randomUUID();
  const from = `SELECT player_id FROM player_stats WHERE player_id >= $1 ORDER BY player_id LIMIT ${players}`;
  const found = await transaction.query<{ player_id: string }[]>(from, [first]);
  if (found.length === players) return { first, last: found.at(-1)!.player_id };
  const before = `SELECT player_id FROM player_stats ORDER BY player_id DESC LIMIT ${players}`;
  const last = await transaction.query<{ player_id: string }[]>(before);
  return { first: last.at(-1)?.player_id ?? ALL.first, last: ALL.last };
}

/** How many players on the boards have each score, from the stored stats. */
export const PLAYERS_BY_SCORE = `
  SELECT score, count(*)::integer AS players FROM player_stats
  WHERE listed AND wins + losses + draws > 0 GROUP BY score`;

/** The same for a hundred scores each, from the totals. */
export const PLAYERS_BY_HUNDRED = `
  SELECT floor(score / 100.0)::integer AS hundred, sum(players)::integer AS players FROM score_totals GROUP BY 1`;

/** Compares the sums of the hundreds with the totals. */
async function wrongHundreds(transaction: EntityManager): Promise<Difference<string, number>[]> {
  const rows = await transaction.query<Difference<number, number>[]>(`
    SELECT 100 * hundred AS key, coalesce(h.players, 0) AS stored, coalesce(t.players, 0) AS recomputed
    FROM score_hundreds h FULL JOIN (${PLAYERS_BY_HUNDRED}) AS t USING (hundred)
    WHERE coalesce(h.players, 0) <> coalesce(t.players, 0)`);
  return rows.map(({ key, ...counts }) => ({ key: `scores ${key} to ${key + 99}`, ...counts }));
}

async function storedByScore(transaction: EntityManager): Promise<Map<number, number>> {
  const rows = await transaction.query<{ score: number; players: number }[]>(PLAYERS_BY_SCORE);
  return new Map(rows.map(({ score, players }) => [score, players]));
}

/**
 * Reads the games in the order of the index, and adds those of each player in the order of their numbers to the sums of the
 * archived ones. Some of the archived games may still be there, or be there again for reading.
 */
async function addUp(transaction: EntityManager, ids: IdRange): Promise<Sums> {
  const archived = await archivedSums(transaction, ids);
  const stats = new Map([...archived].map(([player, sums]) => [player, sums.stats]));
  const days = new Map([...archived].flatMap(([player, { day }]) => (day ? [[player, day] as const] : [])));
  const weeks = new Map(
    (await archivedWeeks(transaction, ids)).map(({ playerId, week, sums }) => [weekKey(playerId, week), sums]),
  );
  let games = [...stats.values()].reduce((sum, one) => sum + gamesIn(one), 0);
  const wrongGames: WrongGame[] = [];
  let player: GameRow[] = [];
  const addPlayer = () => {
    const upTo = archived.get(player[0]?.player_id ?? '')?.upTo ?? 0;
    const live = player.filter(({ number }) => number > upTo).sort((one, other) => one.number - other.number);
    for (const { player_id, number, result, difficulty, points: stored, verified_day } of live) {
      const { stats: sum, points } = addResult(stats.get(player_id) ?? noStats, result, difficulty);
      stats.set(player_id, sum);
      if (points !== stored) wrongGames.push({ player: player_id, number, stored, recomputed: points });
      if (!verified_day) continue;
      days.set(player_id, addGames(days.get(player_id), { day: verified_day, games: 1 }));
      const key = weekKey(player_id, weekOf(new Date(verified_day)));
      weeks.set(key, addToWeek(weeks.get(key) ?? emptyWeek, { result, points, day: verified_day }));
    }
    games += live.length;
    player = [];
  };
  for (let last: GameRow | undefined; ; last = player.at(-1)) {
    const page: GameRow[] = await transaction.query(
      `SELECT player_id, number, result, difficulty, points, finished_at::text,
         CASE source WHEN 'verified' THEN (finished_at AT TIME ZONE 'UTC')::date::text END AS verified_day
       FROM games
       WHERE (player_id, finished_at, number) > ($1, $2, $3) AND player_id <= $4
       ORDER BY player_id, games.finished_at, number LIMIT ${PAGE}`,
      [last?.player_id ?? ids.first, last?.finished_at ?? '-infinity', last?.number ?? 0, ids.last],
    );
    for (const game of page) {
      if (game.player_id !== player[0]?.player_id) addPlayer();
      player.push(game);
    }
    if (page.length < PAGE) break;
  }
  addPlayer();
  return { stats, days, weeks, wrongGames, games };
}

/** Adds the sums of merged players to those of the players whose games they are now. The streak stays that of own games. */
async function addMerged(sums: Sums, ids: IdRange, transaction: EntityManager): Promise<void> {
  const merged: { player_id: string; merged_id: string }[] = await transaction.query(
    'SELECT player_id, merged_id FROM merged_players WHERE player_id BETWEEN $1 AND $2 OR merged_id BETWEEN $1 AND $2',
    [ids.first, ids.last],
  );
  const isInRange = (id: string) => id >= ids.first && id <= ids.last;
  for (const { player_id, merged_id } of merged) {
    const part = isInRange(merged_id) ? sums : await addUp(transaction, { first: merged_id, last: merged_id });
    if (part !== sums) sums.games += part.games;
    const others = sums.wrongGames.filter(({ player }) => player !== merged_id);
    const moved = part.wrongGames.filter(({ player }) => player === merged_id);
    sums.wrongGames = [...others, ...moved.map((game) => ({ ...game, player: player_id }))];
    if (isInRange(player_id)) addMergedPlayer(sums, player_id, part, merged_id);
    sums.stats.delete(merged_id);
    sums.days.delete(merged_id);
    for (const key of [...sums.weeks.keys()].filter((key) => key.startsWith(merged_id))) sums.weeks.delete(key);
  }
}

function addMergedPlayer(sums: Sums, playerId: string, part: Sums, mergedId: string): void {
  const own = sums.stats.get(playerId) ?? noStats;
  sums.stats.set(playerId, mergeStats(own, part.stats.get(mergedId) ?? noStats));
  const day = part.days.get(mergedId);
  if (day) sums.days.set(playerId, addGames(sums.days.get(playerId), day));
  for (const [key, added] of [...part.weeks].filter(([key]) => key.startsWith(mergedId))) {
    const week = key.replace(mergedId, playerId);
    sums.weeks.set(week, addWeeks(sums.weeks.get(week) ?? emptyWeek, added));
  }
}

function dayOf({ verifiedDay, verifiedThatDay }: PlayerStats): Day | null {
  return verifiedDay === null ? null : { day: verifiedDay, games: verifiedThatDay };
}

const weekKey = (playerId: string, week: string) => `${playerId} ${week}`;

const sumsOf = ({ score, wins, losses, draws, dayPoints }: PlayerWeek): WeekSums => ({
  score,
  wins,
  losses,
  draws,
  dayPoints,
});

function playersByScore(sums: Iterable<Stats>): Map<number, number> {
  const players = new Map<number, number>();
  for (const { score } of sums) players.set(score, (players.get(score) ?? 0) + 1);
  return players;
}

/** A key that is missing on one side has the value `none` there. */
function compare<Key, Value>(
  stored: ReadonlyMap<Key, Value>,
  recomputed: ReadonlyMap<Key, Value>,
  none: Value,
): Difference<Key, Value>[] {
  return [...new Set([...stored.keys(), ...recomputed.keys()])]
    .map((key) => ({ key, stored: stored.get(key) ?? none, recomputed: recomputed.get(key) ?? none }))
    .filter((pair) => !isDeepStrictEqual(pair.stored, pair.recomputed));
}
