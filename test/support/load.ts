import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { addResult, noStats, STATS_FIELDS, type Stats } from '../../game/scoring.js';
import { squaresFor } from '../builders/finished-game.js';
import { finishGame, type FinishGameAnswer, type Ticket } from './play.js';
import { query, type Server } from './server.js';
import { dataOf, Visitor } from './visitor.js';

/** A finished game that has not been sent yet. */
export interface Unsent {
  readonly player: Visitor;
  readonly ticket: Ticket;
  readonly squares: readonly number[];
  readonly result: Result;
}

const TICKETS_PER_REQUEST = 10;

/** Plays games without sending them: wins, losses and draws at all difficulties, as the bot allows. */
export async function playUnsent(player: Visitor, count: number): Promise<Unsent[]> {
  const games: Unsent[] = [];
  const kinds: [Difficulty, Result][] = [
    ['easy', 'win'],
    ['medium', 'win'],
    ['easy', 'win'],
    ['hard', 'draw'],
    ['medium', 'lose'],
    ['easy', 'win'],
    ['hard', 'lose'],
  ];
  while (games.length < count) {
    const wanted = Array.from({ length: Math.min(TICKETS_PER_REQUEST, count - games.length) }, (_, at) => {
      return kinds[(games.length + at) % kinds.length]!;
    });
    const fields = wanted.map(
      ([difficulty], at) => `t${at}: startGame(difficulty: ${difficulty}) { gameId difficulty seed token expiresAt }`,
    );
    const data = dataOf(await player.graphql<Record<string, Ticket>>(`mutation { ${fields.join(' ')} }`));
    for (const [at, [difficulty, result]] of wanted.entries()) {
      const ticket = data[`t${at}`]!;
      games.push({ player, ticket, result, squares: squaresFor({ difficulty, seed: ticket.seed, result }) });
    }
  }
  return games;
}

/** @param part such as 0.99 */
export function percentile(all: readonly number[], part: number): number {
  const sorted = all.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

/** A copy in random order. */
export function shuffled<T>(items: readonly T[]): T[] {
  const all = [...items];
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return all;
}

/** Works on all items, that many at a time. */
export async function inParallel<T>(items: readonly T[], inFlight: number, work: (item: T) => Promise<void>) {
  const left = [...items].reverse();
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

interface Delivered {
  answer: FinishGameAnswer;
  tries: number;
}

/** Sends a game as the page's outbox does: after an error it tries the next server, until one answers. */
export async function deliver({ player, ticket, squares }: Unsent, servers: readonly Server[]): Promise<Delivered> {
  let at = Math.floor(Math.random() * servers.length);
  for (let tries = 1; ; tries++) {
    const sender = Object.assign(new Visitor(servers[at % servers.length]!), { accessToken: player.accessToken });
    const { data } = await finishGame(sender, ticket.token, squares).catch(() => ({ data: null }));
    if (data) return { answer: data.finishGame, tries };
    at += 1;
    await new Promise((later) => setTimeout(later, 20));
  }
}

/** The stored sums of weeks that differ from the games, and missing ones. */
const WRONG_WEEKS = `
  WITH recounted AS (
    SELECT player_id, date_trunc('week', finished_at AT TIME ZONE 'UTC')::date AS week, sum(points)::integer AS score,
      count(*) FILTER (WHERE result = 'win')::integer AS wins, count(*) FILTER (WHERE result = 'lose')::integer AS losses,
      count(*)::integer AS games
    FROM games WHERE source = 'verified' GROUP BY 1, 2
  ), stored AS (
    SELECT player_id, week, score, wins, losses, wins + losses + draws AS games FROM player_weeks
  )
  (TABLE recounted EXCEPT TABLE stored) UNION ALL (TABLE stored EXCEPT TABLE recounted)`;

export const NOTHING_WRONG = { lost: [], untrue: [], unasked: [], gaps: [], wrongSums: [] };

/** Compares the database with the sent games: there must be nothing wrong. */
export async function audit(server: Server, sent: readonly Unsent[]): Promise<Record<string, unknown[]>> {
  const games = await query<{ id: string; player_id: string; number: number; result: Result; difficulty: Difficulty }>(
    server,
    'SELECT id, player_id, number, result, difficulty FROM games ORDER BY player_id, number',
  );
  const stored = await query<Stats & { player_id: string; total: number }>(
    server,
    `SELECT player_id, score, win_streak AS "winStreak", wins, losses, draws, easy_wins AS "easyWins",
       medium_wins AS "mediumWins", hard_wins AS "hardWins" FROM player_stats`,
  );
  const wrongWeeks = await query(server, WRONG_WEEKS);
  const sums = new Map<string, Stats>();
  const gaps: string[] = [];
  const counts = new Map<string, number>();
  for (const { id, player_id, number, result, difficulty } of games) {
    sums.set(player_id, addResult(sums.get(player_id) ?? noStats, result, difficulty).stats);
    const expected = (counts.get(player_id) ?? 0) + 1;
    if (number !== expected) gaps.push(id);
    counts.set(player_id, expected);
  }
  const ids = new Set(games.map(({ id }) => id));
  const results = new Map(games.map(({ id, result }) => [id, result]));
  return {
    lost: sent.filter(({ ticket }) => !ids.has(ticket.gameId)).map(({ ticket }) => ticket.gameId),
    untrue: sent.filter(({ ticket, result }) => ids.has(ticket.gameId) && results.get(ticket.gameId) !== result),
    unasked: [...ids].filter((id) => !sent.some(({ ticket }) => ticket.gameId === id)),
    gaps,
    wrongSums: [
      ...stored.filter(({ player_id, ...stats }) => {
        const sum = sums.get(player_id) ?? noStats;
        return STATS_FIELDS.some((name) => sum[name] !== stats[name]);
      }),
      ...wrongWeeks,
    ],
  };
}

/**
 * Makes each game take at least that long in the database, so that games meet there on every machine. A check can do that in
 * a distributed database too, and a trigger cannot.
 * @returns a function that ends it
 */
export async function slowGames(server: Server, seconds = 0.005): Promise<() => Promise<void>> {
  await query(
    server,
    `CREATE FUNCTION slow_game() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(${seconds}); RETURN true; END $$`,
  );
  await query(server, 'ALTER TABLE games ADD CONSTRAINT slow_game CHECK (slow_game()) NOT VALID');
  return async () => {
    await query(server, 'ALTER TABLE games DROP CONSTRAINT slow_game');
    await query(server, 'DROP FUNCTION slow_game');
  };
}

/** The stored games, and the transactions that stored them. */
export async function transactionsOf(server: Server): Promise<{ games: number; transactions: number }> {
  const [row] = await query<{ games: number; transactions: number }>(
    server,
    'SELECT count(*)::integer AS games, count(DISTINCT xmin::text)::integer AS transactions FROM games',
  );
  return row!;
}
