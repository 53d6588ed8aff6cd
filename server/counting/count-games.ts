import type { DataSource } from 'typeorm';
import { gamesIn, pickStats, type Stats } from '../../game/scoring.js';
import { type Week, weekOf } from '../../game/week.js';
import { named } from '../database/statements.js';
import { isForeignKeyViolation } from '../database/errors.js';
import { Unavailable } from '../base/errors.js';
import { utcDay } from './day.js';
import { gamesSince, type PlayerFacts, readFacts, type StoredGame, verifiedGamesOn } from './facts.js';
import type { Counted, GameToCount } from './game-to-count.js';
import { addGame, addToWeeks, type PlayerSums, type Source, type Weeks } from './sums.js';
import { type NewSums, type NewWeek, writeSums, writeWeeks } from './sums-tables.js';

const MINUTE = 60_000;
/** In each round at least one of the writers that meet at a player succeeds. */
const ROUNDS = 50;

/** The answer to a game, once it is written. */
interface Answer {
  readonly place: number;
  readonly source: Source;
  readonly answer: Omit<Extract<Counted, { status: 'counted' | 'repeated' }>, 'status' | 'weekScore'>;
}

/** Games and new sums of one player, computed from the facts and not written yet. */
class PlayerCount {
  sums: PlayerSums;
  readonly weeks: Weeks = new Map();
  readonly rows: GameRow[] = [];
  readonly answers: Answer[] = [];

  constructor(readonly facts: PlayerFacts) {
    this.sums = facts.sums;
  }

  /** Whether the game is among those that are about to be written. */
  has(gameId: string): boolean {
    return this.rows.some(({ id }) => id === gameId);
  }

  /** How many games of one source are about to be written. */
  countOf(source: Source): number {
    return this.rows.filter((row) => row.source === source).length;
  }

  /** How many verified games of the UTC day of `now` are about to be written. */
  verifiedOn(now: Date): number {
    const day = utcDay(now);
    return this.rows.filter((row) => row.source === 'verified' && utcDay(row.finished_at) === day).length;
  }

  with(game: GameToCount, place: number, gamesToday: number): this {
    const { playerId, id, source, difficulty, result, byProgram = false, now } = game;
    const { seed = null, moves = null, startedAt = null } = game;
    const folded = { source, difficulty, result, byProgram, finishedAt: now };
    const number = gamesIn(this.sums) + 1;
    const { sums, points, bonus } = addGame(this.sums, folded);
    this.sums = sums;
    addToWeeks(this.weeks, folded, points);
    const scored = { source, difficulty, result, bonus, points, seed, moves };
    this.rows.push({
      id,
      player_id: playerId,
      number,
      ...scored,
      started_at: startedAt,
      finished_at: now,
      by_program: byProgram,
    });
    const today = gamesToday + Number(source === 'verified');
    this.answers.push({
      place,
      source,
      answer: { gamesToday: today, finishedAt: now, bonus, points, byProgram, stats: pickStats(sums) },
    });
    return this;
  }
}

/** A row of `games` for `json_populate_recordset`. */
interface GameRow extends Omit<StoredGame, 'finishedAt' | 'byProgram' | 'voided'> {
  readonly player_id: string;
  readonly number: number;
  readonly started_at: Date | null;
  readonly finished_at: Date;
  readonly by_program: boolean;
}

/**
 * Counts each game once, or says why not. Two statements for all games: the first reads what is stored, `addGame` decides, and
 * the second writes sums, games and weeks of the players whose sums are still those that were read. The games of the others go
 * round again. No lock is held between the statements.
 * @param lockLimit how long the second statement waits for each player's row, in milliseconds
 * @returns the answers in the order of the games
 * @throws {Unavailable} when other writers are always faster
 */
export async function countGames(
  database: Pick<DataSource, 'query'>,
  games: readonly GameToCount[],
  lockLimit: number,
): Promise<Counted[]> {
  const answers = new Array<Counted>(games.length);
  let places = [...games.keys()];
  for (let round = 0; places.length > 0; round++) {
    if (round === ROUNDS) throw new Unavailable('Too many games of one player at a time');
    const { players, changed } = await judge(database, games, places, answers);
    try {
      const beaten = players.size > 0 ? await write(database, players, lockLimit, answers) : [];
      places = [...beaten, ...changed].sort((one, other) => one - other);
    } catch (error) {
      // The player has been deleted since: the next facts say so.
      if (players.size > 1 || !isForeignKeyViolation(error)) throw error;
    }
  }
  return answers;
}

/**
 * Answers the games that change nothing.
 * @returns what is to be written, by player, and the places of games whose answers need newer facts
 */
async function judge(
  database: Pick<DataSource, 'query'>,
  games: readonly GameToCount[],
  places: readonly number[],
  answers: Counted[],
): Promise<{ players: Map<string, PlayerCount>; changed: number[] }> {
  const given = places.map((place) => games[place]!);
  const facts = await readFacts(database, given);
  const players = new Map<string, PlayerCount>();
  const changed: number[] = [];
  /** Their further games wait too, so that the order of a player's games stays. */
  const waiting = new Set<string>();
  for (const place of places) {
    const game = games[place]!;
    const known = facts.get(game.playerId);
    if (!known || (game.sessionId !== null && !known.sessions.has(game.sessionId))) {
      answers[place] = { status: 'signed_out', gamesToday: 0 };
      continue;
    }
    const player = players.get(game.playerId) ?? new PlayerCount(known);
    const { sums } = player.facts;
    const gamesToday = (await verifiedGamesOn(database, game.playerId, sums, game.now)) + player.verifiedOn(game.now);
    const stored = player.facts.games.get(game.id);
    // The answer to a repeated game has the sums with the games that are about to be written.
    if (waiting.has(game.playerId) || player.has(game.id) || (stored && player.rows.length > 0)) {
      waiting.add(game.playerId);
      changed.push(place);
      continue;
    }
    const refusal = stored ? undefined : await refusalOf(database, player, game, gamesToday);
    if (stored) answers[place] = answerTo(game, stored, pickStats(player.sums), gamesToday);
    else if (refusal) answers[place] = { status: refusal, gamesToday };
    else players.set(game.playerId, player.with(game, place, gamesToday));
  }
  return { players, changed };
}

/** The limits of the day and of the minute. */
async function refusalOf(
  database: Pick<DataSource, 'query'>,
  player: PlayerCount,
  game: GameToCount,
  gamesToday: number,
): Promise<'too_many' | 'too_many_today' | undefined> {
  const { source, now, gamesPerDay, gamesPerMinute } = game;
  if (source === 'verified' && gamesPerDay > 0 && gamesToday >= gamesPerDay) return 'too_many_today';
  const since = new Date(now.getTime() - MINUTE);
  if (!mayReachMinuteLimit(player.sums, game, gamesToday, since)) return undefined;
  const counted = (await gamesSince(database, game, since)) + player.countOf(source);
  return counted >= gamesPerMinute ? 'too_many' : undefined;
}

/** The sums show for most games that the limit of the minute is not reached: a search in `games` costs more. */
function mayReachMinuteLimit(sums: PlayerSums, game: GameToCount, gamesToday: number, since: Date): boolean {
  const { source, now, gamesPerMinute } = game;
  if (gamesPerMinute === 0 || gamesIn(sums) < gamesPerMinute) return false;
  if (sums.lastGameAt && sums.lastGameAt <= since) return false;
  return source === 'reported' || gamesToday >= gamesPerMinute || utcDay(since) < utcDay(now);
}

function answerTo(game: GameToCount, stored: StoredGame, stats: Stats, gamesToday: number): Counted {
  if (!isSame(game, stored)) return { status: 'differs', gamesToday };
  if (stored.voided) return { status: 'voided', gamesToday };
  const { finishedAt, bonus, points, byProgram } = stored;
  return { status: 'repeated', gamesToday, finishedAt, bonus, points, byProgram, stats, weekScore: null };
}

function isSame(game: GameToCount, stored: StoredGame): boolean {
  return (
    game.source === stored.source &&
    game.difficulty === stored.difficulty &&
    game.result === stored.result &&
    (game.seed ?? null) === stored.seed &&
    String(game.moves ?? null) === String(stored.moves)
  );
}

/** The players whose sums are written. Citus chooses the shard by them: JSON does not tell it the player. */
const PLAYERS = '(SELECT id AS player_id FROM players WHERE id = ANY ($5)) AS present';

/** The limit of a lock is set before the first row is locked, and holds until the end of the statement. */
const WRITE = named(
  'write-games',
  `WITH patience AS (
     SELECT set_config('lock_timeout', $4, true)
   ), sums AS (
     ${writeSums('$1', `patience CROSS JOIN ${PLAYERS}`)}
   ), added AS (
     INSERT INTO games (id, player_id, number, source, difficulty, result, bonus, points, seed, moves, started_at, finished_at, by_program)
     SELECT id, player_id, number, source, difficulty, result, bonus, points, seed, moves, started_at, finished_at, by_program
     FROM ${PLAYERS} JOIN sums USING (player_id) JOIN json_populate_recordset(NULL::games, $2) AS given USING (player_id)
   ), weeks AS (
     ${writeWeeks('$3', `${PLAYERS} JOIN sums USING (player_id)`)}
   )
   SELECT player_id AS "playerId", weeks.week::text AS week, weeks.score AS "weekScore" FROM sums LEFT JOIN weeks USING (player_id)`,
);

/** @returns the places of the games whose players another writer has changed meanwhile */
async function write(
  database: Pick<DataSource, 'query'>,
  players: ReadonlyMap<string, PlayerCount>,
  lockLimit: number,
  answers: Counted[],
): Promise<number[]> {
  // In the order of the players, so that two writers never wait for each other in a circle.
  const counts = [...players].sort(([one], [other]) => (one < other ? -1 : 1));
  const sums: NewSums[] = [];
  const weeks: NewWeek[] = [];
  for (const [playerId, count] of counts) {
    sums.push({ playerId, version: count.facts.version + 1, ...count.sums });
    for (const [week, added] of count.weeks) weeks.push({ playerId, week, ...added });
  }
  const rows = counts.flatMap(([, count]) => count.rows);
  const written = await database.query<{ playerId: string; week: Week | null; weekScore: number | null }[]>(WRITE, [
    JSON.stringify(sums),
    JSON.stringify(rows),
    JSON.stringify(weeks),
    String(lockLimit),
    counts.map(([playerId]) => playerId),
  ]);
  const isWritten = new Set(written.map(({ playerId }) => playerId));
  const weekScores = new Map(written.map(({ playerId, week, weekScore }) => [`${playerId} ${week}`, weekScore]));
  const again: number[] = [];
  for (const [playerId, count] of counts) {
    for (const { place, source, answer } of count.answers) {
      const weekScore = weekScores.get(`${playerId} ${weekOf(answer.finishedAt)}`) ?? null;
      if (!isWritten.has(playerId)) again.push(place);
      else answers[place] = { status: 'counted', ...answer, weekScore: source === 'verified' ? weekScore : null };
    }
  }
  return again;
}
