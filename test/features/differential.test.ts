import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Difficulty } from '../../game/bot.js';
import { type Random, seededRandom } from '../../game/random.js';
import type { Result } from '../../game/rules.js';
import { addResult, noStats, type Stats } from '../../game/scoring.js';
import { weekOf } from '../../game/week.js';
import { squaresFor } from '../builders/finished-game.js';
import { aMadePlayer } from '../support/made.js';
import { inParallel } from '../support/load.js';
import { finishGame, startGame } from '../support/play.js';
import { query, type Server, sharedServer, startBeside } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { at, codeOf, type SignedInUser, type Visitor } from '../support/visitor.js';

/** `SEED=…` plays another stream. */
const { SEED = 'one' } = process.env;
const ROUNDS = 6;
const PLAYERS = 8;
const HOUR = 3_600_000;
const REASON = ['--reason', 'A test'];

interface Player {
  readonly visitor: Visitor & { user: SignedInUser };
  readonly random: Random;
  /** The games that count or did before they were voided, by their ids. */
  readonly games: Map<string, Sent>;
  readonly voided: Set<string>;
}

interface Sent {
  readonly difficulty: Difficulty;
  readonly result: Result;
  readonly token: string;
  readonly squares: readonly number[];
}

const oneOf = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

const KINDS: readonly (readonly [Difficulty, Result])[] = [
  ...(['easy', 'easy', 'easy', 'medium'] as const).map((difficulty) => [difficulty, 'win'] as const),
  ...(['easy', 'hard', 'hard', 'hard'] as const).map((difficulty) => [difficulty, 'draw'] as const),
  ...(['medium', 'hard'] as const).map((difficulty) => [difficulty, 'lose'] as const),
];

let servers: readonly Server[];
beforeAll(async () => {
  const first = await sharedServer();
  servers = [first, await startBeside(first)];
  // An hour does not end between two requests. It is Sunday noon, so the week ends during the rounds.
  const sunday = Date.parse(weekOf(new Date())) + 156 * HOUR;
  for (const server of servers) await server.stopClock(sunday);
});
afterAll(async () => {
  for (const server of servers) await server.remove();
});

async function begin(player: Player): Promise<readonly [string, Sent]> {
  const [difficulty, result] = oneOf(player.random, KINDS);
  const { gameId, seed, token } = await startGame(at(oneOf(player.random, servers), player.visitor), difficulty);
  return [gameId, { difficulty, result, token, squares: squaresFor({ difficulty, seed, result }) }];
}

/** Sends new games, and one of before again, all at once: each to one server, or to both. */
async function send(player: Player, fresh: readonly (readonly [string, Sent])[]): Promise<void> {
  const { random, games, voided } = player;
  const again = games.size > 0 ? [oneOf(random, [...games])] : [];
  const sent = [...fresh, ...again].flatMap(([id, game]) =>
    (random() < 0.4 ? servers : [oneOf(random, servers)]).map((server) => ({ id, game, server })),
  );
  await inParallel(sent, sent.length, async ({ id, game, server }) => {
    const wasVoided = voided.has(id);
    const finish = () => finishGame(at(server, player.visitor), game.token, game.squares);
    let answer = await finish();
    // A game that meets a lock for 200 ms is sent again, as by the page.
    while (codeOf(answer) === 'SERVICE_UNAVAILABLE') answer = await finish();
    const { data, errors } = answer;
    if (data?.finishGame.__typename === 'GameCounted') games.set(id, game);
    else if (!wasVoided && !voided.has(id)) throw new Error(`${id}: ${JSON.stringify(data ?? errors)}`);
  });
}

/** Reports a result to both servers at once, under a key that may have been used before. */
async function report(player: Player): Promise<void> {
  const result = oneOf(player.random, ['win', 'lose', 'draw'] as const);
  const body = { userId: player.visitor.user.id, result, difficulty: 'medium' };
  const headers = { 'idempotency-key': `${result}-${oneOf(player.random, [1, 2, 3])}` };
  await inParallel(servers, servers.length, async (server) => {
    expect((await at(server, player.visitor).postJson('/api/player/stats', body, headers)).status).toBe(200);
  });
}

/** Voids a game, or brings one back. */
async function decide({ visitor, random, games, voided }: Player): Promise<void> {
  const isBack = voided.size > 0 && random() < 0.4;
  const id = oneOf(random, isBack ? [...voided] : [...games.keys()].filter((one) => !voided.has(one)));
  if (!id) return;
  // The game may be sent again meanwhile.
  voided.add(id);
  expect(await ttt(servers[0]!, 'game', isBack ? 'unvoid' : 'void', visitor.user.id, id, ...REASON)).toMatchObject({
    code: 0,
  });
  if (isBack) voided.delete(id);
}

/** The account is deleted while a game is on its way. */
async function leave(player: Player, [[, { token, squares }]]: readonly [readonly [string, Sent]]): Promise<void> {
  const [deleted] = await Promise.all([
    ttt(servers[0]!, 'player', 'delete', player.visitor.user.id, ...REASON),
    finishGame(at(oneOf(player.random, servers), player.visitor), token, squares),
  ]);
  expect(deleted).toMatchObject({ code: 0 });
}

interface Row {
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

interface Week {
  score: number;
  wins: number;
  losses: number;
  draws: number;
  program_games: number;
  reached_at: Date;
}

const later = (one: Date, other: Date) => (one > other ? one : other);
const dayOf = (time: Date) => time.toISOString().slice(0, 10);

/** What the games of a player add up to. Each game must say what the rules give it. */
function fold(games: readonly Row[]) {
  let stats: Stats = noStats;
  const badges: Record<string, Date | null> = {
    first_easy_win_at: null,
    first_medium_win_at: null,
    first_hard_draw_at: null,
    ten_hard_draws_at: null,
  };
  const sums = { hard_draws: 0, hard_draws_in_a_row: 0, best_hard_draws: 0, games_that_day: 0 };
  const times = { reached_at: new Date(0), last_game_at: new Date(0) };
  const weeks: Record<string, Week> = {};
  for (const [index, { result, difficulty, source, finished_at, ...stored }] of games.entries()) {
    const scored = addResult(stats, result, difficulty);
    const { points, bonus } = scored;
    expect(stored).toMatchObject({ number: index + 1, points, bonus });
    stats = scored.stats;
    if (index === 0 || result !== 'draw') times.reached_at = finished_at;
    sums.games_that_day = dayOf(finished_at) === dayOf(times.last_game_at) ? sums.games_that_day + 1 : 1;
    times.last_game_at = later(times.last_game_at, finished_at);
    if (source === 'reported') continue;
    if (difficulty === 'hard' && result !== 'win') {
      sums.hard_draws += Number(result === 'draw');
      sums.hard_draws_in_a_row = result === 'draw' ? sums.hard_draws_in_a_row + 1 : 0;
      sums.best_hard_draws = Math.max(sums.best_hard_draws, sums.hard_draws_in_a_row);
    }
    if (result === 'win') badges[`first_${difficulty}_win_at`] ??= finished_at;
    if (sums.hard_draws >= 1) badges.first_hard_draw_at ??= finished_at;
    if (sums.hard_draws >= 10) badges.ten_hard_draws_at ??= finished_at;
    const zero = {
      score: 0,
      wins: 0,
      losses: 0,
      draws: 0,
      program_games: 0,
      reached_at: finished_at,
    };
    const week = (weeks[weekOf(finished_at)] ??= zero);
    week.score += points;
    week[({ win: 'wins', lose: 'losses', draw: 'draws' } as const)[result]] += 1;
    if (result !== 'draw') week.reached_at = later(week.reached_at, finished_at);
  }
  return { stats, sums: { ...sums, ...times, ...badges }, weeks };
}

async function compare(players: readonly Player[], gone: readonly Player[]): Promise<void> {
  const [server] = servers as [Server, Server];
  const games = await query<Row>(server, 'SELECT * FROM games ORDER BY player_id, number');
  const rows = await query<Record<string, unknown>>(server, 'SELECT * FROM player_stats');
  const weeks = await query<Week & { player_id: string; week: string }>(
    server,
    'SELECT *, week::text FROM player_weeks',
  );
  expect(new Set(rows.map(({ player_id }) => player_id))).toEqual(new Set(games.map(({ player_id }) => player_id)));
  const scores = new Map<number, number>();
  for (const player of players) {
    const { id } = player.visitor.user;
    const own = games.filter(({ player_id }) => player_id === id);
    const counted = own.filter(({ source }) => source === 'verified').map((game) => game.id);
    expect(counted.sort()).toEqual([...player.games.keys()].filter((one) => !player.voided.has(one)).sort());
    const { stats, sums, weeks: ofWeeks } = fold(own);
    scores.set(stats.score, (scores.get(stats.score) ?? 0) + 1);
    const { winStreak: win_streak, easyWins: easy_wins, mediumWins: medium_wins, hardWins: hard_wins, ...rest } = stats;
    const row = rows.find(({ player_id }) => player_id === id);
    const counts = { ...rest, ...sums, win_streak, easy_wins, medium_wins, hard_wins, program_games: 0 };
    // All columns, so that a sum which this fold lacks is noticed.
    expect(row).toEqual({ player_id: id, version: expect.any(Number), listed: true, ...counts });
    const stored = weeks.filter(({ player_id }) => player_id === id);
    expect(Object.fromEntries(stored.map(({ player_id: _, week, ...week_sums }) => [week, week_sums]))).toEqual(
      ofWeeks,
    );
  }
  for (const { visitor } of gone) expect(games.filter(({ player_id }) => player_id === visitor.user.id)).toEqual([]);
  for (const { origin } of servers) {
    const answer = await fetch(`${origin}/api/leaderboard?limit=100`, { headers: { 'cache-control': 'no-cache' } });
    const shown = new Map<number, number>();
    for (const { score } of (await answer.json()) as { score: number }[]) shown.set(score, (shown.get(score) ?? 0) + 1);
    expect(shown).toEqual(scores);
  }
}

async function join(number: number): Promise<Player> {
  const visitor = await aMadePlayer(servers[0]!);
  return { visitor, random: seededRandom(`${SEED} ${number}`), games: new Map(), voided: new Set() };
}

test(`a random stream of games leaves the sums of its games (seed ${SEED})`, async () => {
  const players: Player[] = [];
  const gone: Player[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    while (players.length < PLAYERS) players.push(await join(players.length + gone.length));
    const begun = new Map<Player, (readonly [string, Sent])[]>();
    await inParallel(players, PLAYERS, async (player) => {
      begun.set(player, [await begin(player)]);
      while (player.random() < 0.5) begun.get(player)!.push(await begin(player));
    });
    // A person's time for a game.
    for (const server of servers) await server.moveClock(20_000);
    const [leaver] = round % 3 === 2 ? players.splice(round % PLAYERS, 1) : [];
    if (leaver) await leave(leaver, begun.get(leaver) as [readonly [string, Sent]]);
    if (leaver) gone.push(leaver);
    await inParallel(players, PLAYERS, async (player) => {
      const also = [
        ...(player.random() < 0.3 ? [report(player)] : []),
        ...(player.random() < 0.4 ? [decide(player)] : []),
      ];
      await Promise.all([send(player, begun.get(player)!), ...also]);
    });
    for (const server of servers) await server.moveClock((1 + ((round * 7) % 30)) * HOUR);
    // Sessions outlive such a time, access tokens do not.
    for (const { visitor } of players) await visitor.renew();
  }
  await compare(players, gone);
  const rebuild = () => ttt(servers[0]!, 'stats', 'rebuild');
  expect(await rebuild()).toEqual({ code: 0, said: expect.stringMatching(/: 0 differences\n$/) });

  const { id } = players[0]!.visitor.user;
  for (const column of ['draws', 'games_that_day']) {
    await query(servers[0]!, `UPDATE player_stats SET ${column} = 999 WHERE player_id = $1`, [id]);
  }
  const difference = new RegExp(
    `^${id}: stored {.*"draws":999.*"gamesThatDay":999.*}, recounted {.*"draws":\\d{1,2},.*"gamesThatDay":\\d{1,2}\\b.*}$`,
    'm',
  );
  expect((await rebuild()).said).toMatch(difference);
});
