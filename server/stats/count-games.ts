import type { DataSource } from 'typeorm';
import { gamesIn } from '../../game/scoring.js';
import { type Week, weekOf } from '../../game/week.js';
import { Unavailable } from '../base/errors.js';
import type { PlayerChange } from '../base/events.js';
import { isForeignKeyViolation } from '../database/errors.js';
import { run } from '../database/statements.js';
import { columnsOf, fromJson } from '../database/entity-columns.js';
import { type PlayerFacts, readFacts, type StoredGame } from './facts.js';
import { GAME, type Game } from './game.entity.js';
import { gamesOnDay, type GameToCount, limitReached, nextCountedFrom } from './game-limits.js';
import { addGame, addToWeeks, type PlayerSums, type Weeks } from './sums.js';
import type { PlayerWeek } from './player-stats.entity.js';
import { type NewSums, writeSums, writeWeeks } from './player-stats.repository.js';

/** `already_counted`: another game has this id. `voided`: a decision has taken the game out of the sums. */
export type NotCounted = 'already_counted' | 'voided' | 'too_many_games' | 'too_many_games_today';

/** What became of a game. `repeated`: the same game has been counted before. */
export type Counted = (
  | { readonly status: NotCounted }
  | {
      readonly status: 'counted' | 'repeated';
      readonly game: Game;
      readonly sums: PlayerSums;
      /** The game's week with its score. Undefined for a game that counts for no week, or was counted before. */
      readonly week: PlayerChange['week'];
    }
) & {
  /** The time from which the player's next game counts, or null when it counts now. */
  readonly countsFrom: Date | null;
};

/** The player is gone. */
export interface Gone {
  readonly status: 'gone';
}

type Answer = Counted | Gone;
type Answered = readonly [GameToCount, Answer];

/** In each round at least one of the writers that meet at a player succeeds. */
const ROUNDS = 50;

/**
 * Counts each game once, or says why not. A round has two statements for all games: the first reads what is stored, `addGame`
 * decides, and the second writes games, sums and weeks of the players whose sums are still those that were read. A game near a
 * limit, or of an earlier day than the newest, takes one more read. The games that have no answer go round again. No lock is held
 * between the statements.
 * @param lockLimit how long the second statement waits for each player's row, in milliseconds
 * @returns the answers in the order of the games
 * @throws {Unavailable} when other writers are always faster
 */
export async function countGames(
  database: DataSource,
  games: readonly GameToCount[],
  lockLimit: number,
): Promise<Answer[]> {
  const answers = new Map<GameToCount, Answer>();
  let open = games;
  for (let round = 0; open.length > 0; round++) {
    if (round === ROUNDS) throw new Unavailable('Too many games of one player at a time');
    const facts = await readFacts(database, open);
    const plans: Plan[] = [];
    for (const playerId of new Set(open.map(({ game }) => game.playerId))) {
      const own = open.filter(({ game }) => game.playerId === playerId);
      const known = facts.get(playerId);
      if (known) plans.push(await planFor(database, playerId, own, known));
      else for (const game of own) answers.set(game, { status: 'gone' });
    }
    const written = await write(database, plans, lockLimit);
    for (const [game, answer] of [...plans.flatMap((plan) => plan.answers), ...written]) answers.set(game, answer);
    open = open.filter((game) => !answers.has(game));
  }
  return games.map((game) => answers.get(game)!);
}

/** What the games of one player change. */
interface Plan {
  readonly playerId: string;
  /** The answers to the games that change nothing. */
  readonly answers: readonly Answered[];
  readonly counted: readonly Planned[];
  /** The sums with the counted games. */
  readonly sums: NewSums;
  readonly weeks: readonly PlayerWeek[];
}

/** A game that is to be written, and what it is answered then. */
interface Planned {
  readonly given: GameToCount;
  readonly row: Game;
  readonly sums: PlayerSums;
  readonly countsFrom: Date | null;
}

/**
 * Decides about the games of one player, in their order. A game that needs newer facts gets no answer, and neither do the
 * games after it.
 */
async function planFor(
  database: DataSource,
  playerId: string,
  games: readonly GameToCount[],
  facts: PlayerFacts,
): Promise<Plan> {
  const answers: Answered[] = [];
  const counted: Planned[] = [];
  const weeks: Weeks = new Map();
  let { sums } = facts;
  for (const given of games) {
    const { game, limits } = given;
    const planned = counted.map(({ row }) => row);
    const stored = facts.games.get(game.id);
    // The same game twice in a batch: the first one is not written yet.
    if (planned.some(({ id }) => id === game.id)) break;
    // A repeated game is answered with the sums of the games before it, which are not written yet.
    if (stored && planned.length > 0) break;
    const gamesToday = await gamesOnDay(database, sums, game, planned);
    const countsFromAfter = (games: number) => nextCountedFrom(game.finishedAt, games, limits.gamesPerDay);
    const countsFrom = countsFromAfter(gamesToday);
    const refusal = stored ? undefined : await limitReached(database, given, { sums, gamesToday, planned });
    if (stored) answers.push([given, { ...answerTo(game, stored, sums), countsFrom }]);
    else if (refusal) answers.push([given, { countsFrom, ...refusal }]);
    else {
      const { points, bonus, sums: added } = addGame(sums, game);
      const row = { ...game, number: gamesIn(sums) + 1, bonus, points };
      addToWeeks(weeks, game, points);
      sums = added;
      counted.push({ given, row, sums, countsFrom: countsFromAfter(gamesToday + 1) });
    }
  }
  return {
    playerId,
    answers,
    counted,
    sums: { playerId, version: facts.version + 1, ...sums },
    weeks: [...weeks].map(([week, added]) => ({ playerId, week, ...added })),
  };
}

function answerTo(game: GameToCount['game'], stored: StoredGame, sums: PlayerSums) {
  if (!isSame(game, stored)) return { status: 'already_counted' } as const;
  if (stored.voided) return { status: 'voided' } as const;
  return { status: 'repeated', game: stored, sums, week: undefined } as const;
}

const SAME = ['source', 'difficulty', 'result', 'seed', 'moves'] as const;

const isSame = (game: GameToCount['game'], stored: StoredGame) =>
  SAME.every((field) => String(game[field]) === String(stored[field]));

/** The players whose sums are written. Citus chooses the shard by them: JSON does not tell it the player. */
const PLAYERS = '(SELECT id AS player_id FROM players WHERE id = ANY ($5)) AS present';
const WRITTEN = `${PLAYERS} JOIN sums USING (player_id)`;

/** The limit of a lock is set before the first row is locked, and holds until the end of the statement. */
const WRITE = {
  name: 'write-games',
  text: `WITH patience AS (
     SELECT set_config('lock_timeout', $4, true)
   ), sums AS (
     ${writeSums('$1', `patience CROSS JOIN ${PLAYERS}`)}
   ), added AS (
     INSERT INTO games (${columnsOf(GAME)}) SELECT ${columnsOf(GAME)} FROM ${fromJson('$2', GAME, WRITTEN)}
   ), weeks AS (
     ${writeWeeks('$3', WRITTEN)}
   )
   SELECT player_id AS "playerId", weeks.week::text AS name, weeks.score FROM sums LEFT JOIN weeks USING (player_id)`,
};

/** @returns the answers to the games that are written now: not to those of a player whom another writer has changed meanwhile */
async function write(database: DataSource, plans: readonly Plan[], lockLimit: number): Promise<Answered[]> {
  // In the order of the players, so that two writers never wait for each other in a circle.
  const changing = plans
    .filter(({ counted }) => counted.length > 0)
    .sort((one, other) => (one.playerId < other.playerId ? -1 : 1));
  if (changing.length === 0) return [];
  const counted = changing.flatMap((plan) => plan.counted);
  // Of a player who has no new week, `name` and `score` are null.
  let written: { playerId: string; name: Week; score: number }[];
  try {
    const values = [
      JSON.stringify(changing.map(({ sums }) => sums)),
      JSON.stringify(counted.map(({ row }) => row)),
      JSON.stringify(changing.flatMap(({ weeks }) => weeks)),
      String(lockLimit),
      changing.map(({ playerId }) => playerId),
    ];
    written = await run(database, { ...WRITE, values });
  } catch (error) {
    // The player has been deleted since: the next facts say so.
    if (changing.length > 1 || !isForeignKeyViolation(error)) throw error;
    return [];
  }
  const isWritten = new Set(written.map(({ playerId }) => playerId));
  const weeks = new Map(written.map(({ playerId, ...week }) => [`${playerId} ${week.name}`, week]));
  return counted
    .filter(({ row }) => isWritten.has(row.playerId))
    .map(({ given, row, sums, countsFrom }) => {
      const week = row.source === 'verified' ? weeks.get(`${row.playerId} ${weekOf(row.finishedAt)}`) : undefined;
      return [given, { status: 'counted', game: row, sums, week, countsFrom }];
    });
}
