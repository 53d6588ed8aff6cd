import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SQUARES } from '../../game/board.js';
import { CHALLENGE_DIFFICULTIES, parOf } from '../../game/challenge.js';
import { dareCode, pageCode } from '../../game/dare.js';
import { replay } from '../../game/replay.js';
import type { Result } from '../../game/rules.js';
import {
  challengeMove,
  challengeOf,
  challengeSquares,
  DAY,
  playChallenge,
  playChallengeGames,
  seedsOf,
  startChallenge,
  stopAtNoon,
} from '../support/challenge.js';
import { eventually } from '../support/page.js';
import { statsOf } from '../support/play.js';
import {
  aServer,
  endOfLog,
  logged,
  PATIENT,
  query,
  type Server,
  SHARED_SECRET,
  startServer,
} from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor, at, Visitor } from '../support/visitor.js';

/** The first of the days of these tests. Each test has its own, so that nobody else is in its table. */
const FIRST_DAY = Date.parse('2031-05-01T12:00:00Z');

const server = aServer();
let days = 0;
let day: string;

beforeEach(async () => {
  day = await stopAtNoon(server, FIRST_DAY + days++ * 3 * DAY);
});

/** The same player with a new token, because the old one has expired by now. */
async function later(player: Visitor, ms: number): Promise<void> {
  await server.moveClock(ms);
  const answer = await player.refresh();
  player.keep((await answer.json()) as Parameters<Visitor['keep']>[0]);
}

/** A server settles the earlier days at its start, and then once a minute: it may have done so already. */
async function settle(player: Visitor, stats: Record<string, number>): Promise<void> {
  await server.restart();
  await eventually(() => statsOf(player, 'score wins losses draws'), stats);
}

type Player = Awaited<ReturnType<typeof aSignedInVisitor>>;

describe('an attempt', () => {
  test('has five games with the same bot for everybody, and counts in the stats', async () => {
    const [ada, grace] = await Promise.all([aSignedInVisitor(server), aSignedInVisitor(server)]);
    expect((await challengeOf(ada)).attempt.games.map(({ started }) => started)).toEqual(Array(5).fill(false));
    const last = await playChallenge(ada, day, ['win', 'lose', 'win', 'lose', 'draw']);
    expect(last).toMatchObject({ result: 'draw', stats: { score: 0, wins: 2, losses: 2, draws: 1 } });
    await playChallenge(grace, day, ['win', 'lose', 'win', 'lose', 'draw']);
    const [one, other] = await Promise.all([challengeOf(ada), challengeOf(grace)]);
    expect(other.attempt.games).toEqual(one.attempt.games);
    expect(one.attempt.games.map(({ result }) => result)).toEqual(['win', 'lose', 'win', 'lose', 'draw']);
    expect(one).toMatchObject({ place: 1, players: 2 });
    expect(Date.parse(one.endsAt)).toBe(Date.parse(day) + DAY);
  });

  test('has no second start, and its games have an order', async () => {
    const player = await aSignedInVisitor(server);
    expect(await startChallenge(player, day, 2)).toMatchObject({ reason: 'game_out_of_order' });
    await startChallenge(player, day, 1);
    await challengeMove(player, day, [1, 1, 4]);
    const again = await startChallenge(player, day, 1);
    expect(again.__typename).toBe('ChallengePlayed');
    expect(again.attempt.games[0]!.squares).toHaveLength(2);
    expect(await startChallenge(player, day, 2)).toMatchObject({ reason: 'game_out_of_order' });
    const { errors } = await player.graphql(`mutation { startChallengeGame(day: "${day}", game: 6) { __typename } }`);
    expect(errors).toMatchObject([{ message: 'game must be a whole number from 1 to 5.' }]);
  });

  test('answers a repeated move as the first time, and refuses every wrong one', async () => {
    const player = await aSignedInVisitor(server);
    await startChallenge(player, day, 1);
    const first = await challengeMove(player, day, [1, 1, 4]);
    expect(await challengeMove(player, day, [1, 1, 4])).toEqual(first);
    for (const [move, reason] of [
      [[1, 1, 0], 'other_square_played'],
      [[2, 1, 0], 'game_not_started'],
      [[1, 2, 4], 'illegal_move'],
      [[1, 2, first.botSquare!], 'illegal_move'],
      [[1, 3, 0], 'move_out_of_order'],
    ] as const) {
      expect([move, await challengeMove(player, day, move)]).toMatchObject([move, { reason }]);
    }
    expect((await challengeOf(player)).attempt).toEqual(first.attempt);
  });

  test('repeats earlier moves of a game that is over, and takes no further one', async () => {
    const player = await aSignedInVisitor(server);
    const squares = challengeSquares(day, 1, 'win');
    const last = await playChallenge(player, day, ['win']);
    const earlier = await challengeMove(player, day, [1, 1, squares[0]!]);
    expect(earlier).toMatchObject({ botSquare: expect.any(Number), result: null });
    expect(await challengeMove(player, day, [1, squares.length, squares.at(-1)!])).toMatchObject({
      botSquare: last.botSquare,
      result: 'win',
    });
    expect(await challengeMove(player, day, [1, squares.length + 1, 0])).toMatchObject({ reason: 'game_over' });
  });

  test('takes no move after the end of the day, but a lost answer can be asked again', async () => {
    const player = await aSignedInVisitor(server);
    await startChallenge(player, day, 1);
    const answer = await challengeMove(player, day, [1, 1, 4]);
    await later(player, DAY);
    const { games } = answer.attempt;
    expect(await challengeMove(player, day, [1, 1, 4])).toMatchObject({ ...answer, attempt: { games } });
    const free = [0, 1, 2].find((square) => square !== answer.botSquare)!;
    expect(await challengeMove(player, day, [1, 2, free])).toMatchObject({ reason: 'not_today' });
    expect(await startChallenge(player, day, 2)).toMatchObject({ reason: 'not_today' });
  });

  test('counts a game that was lost between its last move and the stats', async () => {
    const player = await aSignedInVisitor(server);
    const squares = challengeSquares(day, 1, 'win');
    await startChallenge(player, day, 1);
    for (const [index, square] of squares.entries()) await challengeMove(player, day, [1, index + 1, square]);
    // As after a crash: the game is over, and nothing is counted.
    for (const table of ['games', 'player_stats']) {
      await query(server, `DELETE FROM ${table} WHERE player_id = $1`, [player.user.id]);
    }
    await query(server, 'UPDATE challenge_attempts SET counted = 0 WHERE player_id = $1', [player.user.id]);
    const lastMove = [1, squares.length, squares.at(-1)!] as const;
    expect(await challengeMove(player, day, lastMove)).toMatchObject({ result: 'win', stats: { wins: 1, score: 1 } });
    await challengeMove(player, day, lastMove);
    expect(await statsOf(player)).toMatchObject({ wins: 1, score: 1 });
  });
});

describe('an abandoned game', () => {
  test('is lost at the end of the day', async () => {
    const player = await aSignedInVisitor(server);
    await playChallenge(player, day, ['win']);
    await startChallenge(player, day, 2);
    await challengeMove(player, day, [2, 1, 4]);
    expect(await statsOf(player)).toMatchObject({ wins: 1, losses: 0 });
    await later(player, DAY);
    await settle(player, { score: 0, wins: 1, losses: 1, draws: 0 });
    const { data } = await player.graphql<{
      me: { games: { edges: { node: { result: string; moves: unknown[]; seed: string } }[] } };
    }>('{ me { games { edges { node { result seed moves { square } } } } } }');
    const [game] = data!.me.games.edges;
    expect(game!.node).toMatchObject({ result: 'lose', seed: seedsOf(day)[1] });
    expect(game!.node.moves).toHaveLength(2);
  });
});

describe('with a second server', () => {
  let second: Server;
  /** A player who is signed out. */
  let gone: string;
  const lossesOfGone = () => query(server, 'SELECT losses FROM player_stats WHERE player_id = $1', [gone]);
  /** What both servers say from now on. */
  let both: Pick<Server, 'log'>;
  beforeAll(async () => {
    await server.resetClock();
    await server.stopClock();
    const before = server.log().length;
    both = { log: () => server.log().slice(before) + second.log() };
    const away = await aSignedInVisitor(server);
    const { attempt } = await challengeOf(away);
    await startChallenge(away, attempt.day, 1);
    await query(server, 'UPDATE challenge_attempts SET day = day - 1, run_start = day - 1 WHERE player_id = $1', [
      away.user.id,
    ]);
    await away.signOut();
    // An attempt that cannot be settled comes first.
    await query(
      server,
      `INSERT INTO challenge_attempts (player_id, day, run_start, games, started_at)
       VALUES ($1, $2::date - 2, $2::date - 2, '{00}', '{2026-01-01}')`,
      [away.user.id, attempt.day],
    );
    await query(server, `INSERT INTO challenge_identities VALUES ('2026-01-01', 'a hash', gen_random_uuid(), NULL)`);
    second = await startServer({
      databaseUrl: server.databaseUrl,
      publicOrigin: server.origin,
      // This server already signs with another secret, and lets one game a day count.
      env: {
        ...PATIENT,
        AUTH_SECRET: `another secret of the second server,${SHARED_SECRET},${SHARED_SECRET}`,
        GAMES_PER_DAY: '1',
      },
    });
    gone = away.user.id;
  });
  beforeEach(async () => {
    await stopAtNoon(second, Date.parse(`${day}T12:00:00Z`));
  });
  afterAll(() => second.remove());

  test('a server settles the abandoned games of players who are signed out', async () => {
    // The first server may be faster.
    await logged(both, 'challenge_settled');
    await logged(second, `The attempt of ${gone} on `);
    expect(await lossesOfGone()).toEqual([{ losses: 1 }]);
    const sessions = await query(server, 'SELECT FROM sessions WHERE player_id = $1', [gone]);
    expect(sessions).toHaveLength(1);
    expect(await query(server, `SELECT FROM challenge_identities WHERE day = '2026-01-01'`)).toEqual([]);
  });

  test('both have the seeds of the server that began the day', async () => {
    const player = await aSignedInVisitor(server);
    await playChallenge(player, day, ['win']);
    const elsewhere = at(second, player);
    await playChallenge(elsewhere, day, ['win'], 2);
    expect((await challengeOf(player)).attempt.games.map(({ result }) => result)).toEqual([
      'win',
      'win',
      null,
      null,
      null,
    ]);
  });

  test('parallel starts and moves on both: one wins', async () => {
    const player = await aSignedInVisitor(server);
    const both = [player, at(second, player)];
    const starts = await Promise.all([...both, ...both].map((one) => startChallenge(one, day, 1)));
    expect(new Set(starts.map(({ __typename }) => __typename))).toEqual(new Set(['ChallengePlayed']));
    const moves = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((square) => challengeMove(both[square % 2]!, day, [1, 1, square])),
    );
    const played = moves.filter(({ __typename }) => __typename === 'ChallengePlayed');
    expect(played).toHaveLength(1);
    expect(new Set(moves.map(({ reason }) => reason))).toEqual(new Set([undefined, 'other_square_played']));
    const { squares } = (await challengeOf(player)).attempt.games[0]!;
    expect(squares).toEqual([played[0]!.attempt.games[0]!.squares[0], played[0]!.botSquare]);
  });

  test('over the limit of the day, a result stands in the challenge and waits for the stats', async () => {
    const player = await aSignedInVisitor(server);
    const limited = at(second, player);
    await startChallenge(player, day, 1);
    const last = await playChallenge(limited, day, ['win', 'win', 'lose', 'lose', 'draw']);
    expect(last.attempt.games.map(({ result }) => result)).toEqual(['win', 'win', 'lose', 'lose', 'draw']);
    expect(last.stats).toMatchObject({ wins: 1, losses: 0, draws: 0 });
    expect(await challengeOf(limited)).toMatchObject({ place: 1 });
    await later(player, DAY);
    await settle(player, { score: 0, wins: 2, losses: 2, draws: 1 });
    // A further settlement counts nothing again.
    expect(await lossesOfGone()).toEqual([{ losses: 1 }]);
  });
});

/** Everything that anybody gets from the server, with headers. */
async function heard(visitor: Visitor, query: string): Promise<string> {
  const response = await visitor.postJson('/graphql', { query });
  return JSON.stringify([...response.headers]) + (await response.text());
}

const TABLE = (on: string, after = '') =>
  `{ challenge(day: "${on}") { over seeds players entries(limit: 2${after && `, after: "${after}"`}) {
    place playerId wins draws totalMoves results moves } } }`;

interface Entry {
  place: number;
  playerId: string;
  wins: number;
  draws: number;
  totalMoves: number;
  results: string[];
  moves: string[] | null;
}
interface Table {
  challenge: { over: boolean; seeds: string[] | null; players: number; entries: Entry[] };
}

/** What anybody can compute from the public seeds and moves. */
function resultFrom(moves: string, at: number, seed: string): string {
  const squares = [...moves].map(Number);
  const own = squares.filter((_square, index) => index % 2 === 0);
  const replayed = replay({ difficulty: CHALLENGE_DIFFICULTIES[at]!, seed, squares: own });
  if (replayed.ok) {
    expect(replayed.game.moves.map(({ square }) => square)).toEqual(squares);
    return replayed.game.result;
  }
  expect(replayed.reason).toBe('unfinished');
  return 'lose';
}

/** The player's squares of a game that wins with this many moves, if there is one. */
function winWith(moves: number, game: number): number[] | undefined {
  const longer = (lines: number[][]): number[][] =>
    lines.flatMap((line) => SQUARES.filter((square) => !line.includes(square)).map((square) => [...line, square]));
  let lines: number[][] = [[]];
  for (let move = 0; move < moves; move++) lines = longer(lines);
  return lines.find((squares) => {
    const played = replay({ difficulty: CHALLENGE_DIFFICULTIES[game - 1]!, seed: seedsOf(day)[game - 1]!, squares });
    return played.ok && played.game.result === 'win';
  });
}

describe('the table of a day', () => {
  test('shows no seed and no move until one minute after the day, in no answer and not in the log', async () => {
    const player = await aSignedInVisitor(server);
    await playChallenge(player, day, ['win', 'lose', 'win', 'lose']);
    const from = server.log().length;
    let said = JSON.stringify(await playChallenge(player, day, ['draw'], 5));
    for (const document of [
      TABLE(day),
      '{ me { games { edges { node { id seed } } } } }',
      '{ myChallenge { place } }',
    ]) {
      said += await heard(player, document);
    }
    const { data } = await player.graphql<{ me: { games: { edges: { node: { id: string } }[] } } }>(
      '{ me { games { edges { node { id } } } } }',
    );
    const stranger = new Visitor(server);
    const publicGame = `{ game(playerId: "${player.user.id}", id: "${data!.me.games.edges[0]!.node.id}") { seed moves { square } } }`;
    said += await heard(stranger, publicGame);
    expect((await stranger.graphql(publicGame)).data).toEqual({ game: null });
    said += await (await player.api('/api/account/export')).text();
    await endOfLog(server);
    said += server.log().slice(from);
    for (const seed of seedsOf(day)) expect(said).not.toContain(seed);
    const { challenge } = (await player.graphql<Table>(TABLE(day))).data!;
    expect(challenge).toMatchObject({ over: false, seeds: null, players: 1, entries: [{ place: 1, moves: null }] });

    // Another server, whose clock is behind, may still play this day.
    await server.moveClock(DAY / 2 + 30_000);
    const atMidnight = (await stranger.graphql<Table>(TABLE(day))).data!.challenge;
    expect(atMidnight).toMatchObject({ over: true, seeds: null, entries: [{ place: 1, moves: null }] });
    expect((await stranger.graphql(publicGame)).data).toEqual({ game: null });
    await server.moveClock(30_000 + 1_000);
    const published = (await stranger.graphql<Table>(TABLE(day))).data!.challenge;
    expect(published).toMatchObject({ seeds: seedsOf(day), entries: [{ moves: expect.any(Array) }] });
    expect((await stranger.graphql(publicGame)).data).toMatchObject({ game: { seed: seedsOf(day)[4] } });
  });

  test('has a commitment from the start of the day, which fits the seeds when they are public', async () => {
    const stranger = new Visitor(server);
    const commitmentOf = async (on: string) =>
      (
        await stranger.graphql<{ challenge: { commitment: string | null; seeds: string[] | null } }>(
          `{ challenge(day: "${on}") { commitment seeds par } }`,
        )
      ).data!.challenge;
    const hash = createHash('sha256').update(seedsOf(day).join(',')).digest('hex');
    expect(await commitmentOf(day)).toEqual({ commitment: hash, seeds: null, par: null });
    const dayFrom = (days: number) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
    for (const other of [dayFrom(-1), dayFrom(1)])
      expect(await commitmentOf(other)).toEqual({ commitment: null, seeds: null, par: null });
    await server.moveClock(DAY);
    expect(await commitmentOf(day)).toEqual({ commitment: hash, seeds: seedsOf(day), par: parOf(seedsOf(day)) });
  });

  test('tells equal results apart by moves, and players with equal moves share a place', async () => {
    const players = await Promise.all(Array.from({ length: 4 }, () => aSignedInVisitor(server)));
    const rest = ([2, 3, 4, 5] as const).map((game) => challengeSquares(day, game, game === 5 ? 'draw' : 'win'));
    const [short, long] = [winWith(3, 1)!, winWith(4, 1)!];
    const games = [long, short, short, challengeSquares(day, 1, 'lose')];
    await Promise.all(players.map((player, at) => playChallengeGames(player, day, [games[at]!, ...rest])));
    const mine = await Promise.all(players.map(challengeOf));
    expect(mine.map(({ place }) => place)).toEqual([3, 1, 1, 4]);
    const [ofLong, ofShort] = mine.map(({ attempt }) => attempt.totalMoves!);
    expect(ofLong).toBe(ofShort! + 1);
  });

  test('has places that anybody can compute from the seeds after the day', async () => {
    const players = await Promise.all(Array.from({ length: 5 }, () => aSignedInVisitor(server)));
    const [ada, grace, alan, edsger, away] = players;
    await Promise.all([
      playChallenge(ada!, day, ['win', 'win', 'win', 'lose', 'draw']),
      playChallenge(grace!, day, ['win', 'win', 'lose', 'win', 'draw']),
      playChallenge(alan!, day, ['win', 'lose', 'lose', 'win', 'draw']),
      playChallenge(edsger!, day, ['lose', 'lose', 'lose', 'lose', 'lose']),
      playChallenge(away!, day, ['win', 'win']).then(() => startChallenge(away!, day, 3)),
    ]);
    const places = await Promise.all(players.map(async (player) => (await challengeOf(player)).place));
    expect(places).toEqual([1, 1, 3, 4, null]);
    await ttt(server, 'player', 'hide', ada!.user.id, '--reason', 'Offensive picture');
    expect((await challengeOf(ada!)).place).toBeNull();
    await ttt(server, 'player', 'unhide', ada!.user.id, '--reason', 'New picture');

    await server.moveClock(DAY);
    const entries: Entry[] = [];
    let seeds: string[] | null = null;
    for (let page = 2; page === 2;) {
      const { challenge } = (await new Visitor(server).graphql<Table>(TABLE(day, entries.at(-1)?.playerId))).data!;
      expect(challenge).toMatchObject({ over: true, players: 5 });
      seeds = challenge.seeds;
      entries.push(...challenge.entries);
      page = challenge.entries.length;
    }
    expect(seeds).toEqual(seedsOf(day));
    const computed = entries.map(({ playerId, moves }) => {
      const results = moves!.map((game, at) => resultFrom(game, at, seeds![at]!));
      const count = (wanted: string) => results.filter((result) => result === wanted).length;
      const movesOf = (_: unknown, at: number) => (results[at] === 'win' ? Math.ceil(moves![at]!.length / 2) : 5);
      const totalMoves = CHALLENGE_DIFFICULTIES.map(movesOf).reduce((sum, one) => sum + one);
      return { playerId, results, wins: count('win'), draws: count('draw'), totalMoves };
    });
    type Computed = (typeof computed)[number];
    const isBetter = (one: Computed, other: Computed) =>
      (one.wins - other.wins || one.draws - other.draws || other.totalMoves - one.totalMoves) > 0;
    expect(entries).toEqual(
      computed.map((entry, at) => ({
        ...entry,
        place: 1 + computed.filter((other) => isBetter(other, entry)).length,
        moves: entries[at]!.moves,
      })),
    );
    expect(entries.find(({ playerId }) => playerId === away!.user.id)).toMatchObject({
      place: 4,
      results: ['win', 'win', 'lose'],
    });
  });
});

describe('the entry of one player', () => {
  const ENTRY = 'name place wins draws totalMoves results moves';
  const entryOf = async (playerId: string, on = day) => {
    const document = `{ challenge(day: "${on}") { entry(playerId: "${playerId}") { ${ENTRY} } } }`;
    const { data } = await new Visitor(server).graphql<{ challenge: { entry: object | null } }>(document);
    return data!.challenge.entry;
  };

  test('is public when the five games are over, and has no moves while the day runs', async () => {
    const player = await aSignedInVisitor(server, { name: 'Ada Lovelace' });
    const results = ['win', 'lose', 'win', 'win', 'draw'] as const;
    await playChallenge(player, day, results.slice(0, 4));
    expect(await entryOf(player.user.id)).toBeNull();
    expect(await challengeOf(player)).toMatchObject({ par: null, attempt: { totalMoves: null } });
    const { attempt } = await playChallenge(player, day, results.slice(4), 5);
    expect((await challengeOf(player)).par).toBe(parOf(seedsOf(day)));
    const entry = { name: 'Ada Lovelace', place: 1, wins: 3, draws: 1, totalMoves: attempt.totalMoves, results };
    expect(await entryOf(player.user.id)).toEqual({ ...entry, moves: null });
    await server.moveClock(DAY);
    const moves = attempt.games.map(({ squares }) => squares.join(''));
    expect(await entryOf(player.user.id)).toEqual({ ...entry, moves });
  });

  test('is null for a player who is hidden, banned, deleted or unknown, and on another day', async () => {
    const players = await Promise.all(Array.from({ length: 3 }, () => aSignedInVisitor(server)));
    const [hidden, banned, deleted] = players as [Player, Player, Player];
    await Promise.all(players.map((player) => playChallenge(player, day, ['lose', 'lose', 'lose', 'lose', 'lose'])));
    for (const { user } of players) expect(await entryOf(user.id)).toMatchObject({ totalMoves: 25 });
    for (const on of [Date.parse(day) - DAY, Date.parse(day) + DAY])
      expect(await entryOf(hidden.user.id, new Date(on).toISOString().slice(0, 10))).toBeNull();
    await ttt(server, 'player', 'hide', hidden.user.id, '--reason', 'Offensive picture');
    // A command keeps the time of this computer, and can end no session of a later day.
    await banned.signOut();
    await ttt(server, 'player', 'ban', banned.user.id, '--reason', 'A bot');
    await deleted.graphql('mutation { deleteAccount }');
    expect(await Promise.all(players.map(({ user }) => entryOf(user.id)))).toEqual([null, null, null]);
    for (const nobody of [randomUUID(), '', 'nobody', '\u0000', "' OR true"]) expect(await entryOf(nobody)).toBeNull();
  });
});

describe('the days of a player', () => {
  const dayAgo = (days: number) => new Date(Date.parse(day) - days * DAY).toISOString().slice(0, 10);
  /** Attempts of earlier days, with as many wins. The last one is of the third day in a row. */
  const played = (player: Player, wins: Record<number, number>) =>
    query(
      server,
      `INSERT INTO challenge_attempts
         (player_id, day, run_start, games, started_at, finished, wins, closed, counted, total_moves)
       SELECT $1, day::date, day::date - 2, '{0,0,0,0,0}', array_fill(now(), ARRAY[5]), 5, wins::smallint, true, 5, 20
       FROM json_each_text($2) AS given (day, wins)`,
      [player.user.id, Object.fromEntries(Object.entries(wins).map(([ago, won]) => [dayAgo(Number(ago)), won]))],
    );

  test('are a run up to yesterday or today, a chart of 30 days, and the place of yesterday', async () => {
    const [player, rival] = await Promise.all([aSignedInVisitor(server), aSignedInVisitor(server)]);
    expect(await challengeOf(player)).toMatchObject({ run: 0, chart: [0, 0, 0, 0, 0, 0], yesterday: null });
    await played(player, { 1: 2, 2: 4, 3: 2, 5: 0, 6: 4, 29: 5, 30: 5 });
    await played(rival, { 1: 3, 2: 1, 4: 1 });
    const before = { run: 3, chart: [1, 0, 2, 0, 2, 1], yesterday: { place: 2, players: 2 }, isBetter: false };
    expect(await challengeOf(player)).toMatchObject(before);
    await startChallenge(player, day, 1);
    expect(await challengeOf(player)).toMatchObject({ ...before, run: 4 });
    await playChallenge(player, day, ['win', 'win', 'win', 'lose', 'draw']);
    expect(await challengeOf(player)).toMatchObject({ ...before, run: 4, chart: [1, 0, 2, 1, 2, 1], isBetter: true });
    await playChallenge(rival, day, ['win', 'win', 'lose', 'lose', 'draw']);
    expect(await challengeOf(rival)).toMatchObject({ run: 4, yesterday: { place: 1 }, isBetter: false });
    await later(player, DAY);
    expect(await challengeOf(player)).toMatchObject({ run: 4, yesterday: { place: 1, players: 2 }, isBetter: false });
    await later(player, DAY);
    expect(await challengeOf(player)).toMatchObject({ run: 0, yesterday: null });
    await startChallenge(player, dayAgo(-2), 1);
    expect(await challengeOf(player)).toMatchObject({ run: 1 });
  });

  test('have a run that goes on when its first attempts have ended', async () => {
    const player = await aSignedInVisitor(server);
    await played(player, { 1: 2 });
    await query(server, 'UPDATE challenge_attempts SET run_start = day - 499 WHERE player_id = $1', [player.user.id]);
    expect(await challengeOf(player)).toMatchObject({ run: 500 });
    await startChallenge(player, day, 1);
    expect(await challengeOf(player)).toMatchObject({ run: 501 });
  });

  test('wait a minute for the places of a day that has just ended, and hide those of a hidden player', async () => {
    const player = await aSignedInVisitor(server);
    await playChallenge(player, day, ['lose']);
    await later(player, DAY / 2 + 30_000);
    expect(await challengeOf(player)).toMatchObject({ run: 1, chart: [0, 0, 0, 0, 0, 0], yesterday: null });
    await server.moveClock(31_000);
    const settled = { run: 1, chart: [1, 0, 0, 0, 0, 0], yesterday: { place: 1, players: 1 } };
    expect(await challengeOf(player)).toMatchObject(settled);
    await query(server, 'UPDATE player_stats SET listed = false WHERE player_id = $1', [player.user.id]);
    expect(await challengeOf(player)).toMatchObject({ ...settled, yesterday: null });
  });
});

describe('a dare', () => {
  const daredBy = async ({ user }: Player): Promise<unknown> =>
    (await query(server, 'SELECT dared_by FROM challenge_attempts WHERE player_id = $1', [user.id]))[0]!.dared_by;
  const RESULTS = ['win', 'win', 'lose', 'win', 'draw'] as const;
  /** Comes by the link of a player, and plays to the end. */
  const take = async (darer: string, name: string, results: readonly Result[] = RESULTS) => {
    const taker = await aSignedInVisitor(server, { name });
    await startChallenge(taker, day, 1, darer);
    await playChallenge(taker, day, results);
    return taker;
  };

  test('tells who came by the link and finished, until the next one is finished', async () => {
    const darer = await aSignedInVisitor(server);
    const { id } = darer.user;
    await playChallenge(darer, day, RESULTS);
    await startChallenge(await aSignedInVisitor(server), day, 1, id);
    expect(await challengeOf(darer)).toMatchObject({ takers: [], takersInAll: 0 });
    await take(id, 'Cy', ['win', 'win', 'lose', 'lose', 'draw']);
    await take(id, 'Bo', ['win', 'win', 'win', 'win', 'draw']);
    const hidden = await take(id, 'Hidden');
    await query(server, 'UPDATE player_stats SET listed = false WHERE player_id = $1', [hidden.user.id]);
    await take(id, 'Eve', ['lose', 'lose', 'lose', 'lose', 'draw']);
    await take(id, 'Di');
    const takers = [
      { name: 'Bo', wins: 4, result: 'win' },
      { name: 'Di', wins: 3, result: 'draw' },
      { name: 'Cy', wins: 2, result: 'lose' },
    ];
    expect(await challengeOf(darer)).toMatchObject({ takers, takersInAll: 4 });
    await later(darer, 2 * DAY);
    expect(await challengeOf(darer)).toMatchObject({ takers, takersInAll: 4 });
    const { attempt } = await challengeOf(darer);
    await playChallenge(darer, attempt.day, RESULTS);
    expect(await challengeOf(darer)).toMatchObject({ takers: [], takersInAll: 0 });
  });

  test('is erased with either account, and is in the export of its taker', async () => {
    const [darer, other] = await Promise.all([aSignedInVisitor(server), aSignedInVisitor(server)]);
    await playChallenge(darer, day, RESULTS);
    const [kept, leaving] = [await take(darer.user.id, 'Kept'), await take(darer.user.id, 'Leaving')];
    const elsewhere = await take(other.user.id, 'Elsewhere');
    const exported = (await (await kept.api('/api/account/export')).json()) as { challenges: object[] };
    expect(exported.challenges).toMatchObject([{ daredBy: darer.user.id }]);
    await leaving.graphql('mutation { deleteAccount }');
    expect(await challengeOf(darer)).toMatchObject({ takersInAll: 1 });
    await darer.graphql('mutation { deleteAccount }');
    expect([await daredBy(kept), await daredBy(elsewhere)]).toEqual([null, other.user.id]);
  });

  test('by nobody, or by oneself, is none', async () => {
    const player = await aSignedInVisitor(server);
    const wrong = `mutation { startChallengeGame(day: "${day}", game: 1, daredBy: "nobody") { __typename } }`;
    expect((await player.graphql(wrong)).errors).toMatchObject([{ message: 'daredBy must be the id of a player.' }]);
    await startChallenge(player, day, 1, randomUUID());
    const own = await aSignedInVisitor(server);
    await startChallenge(own, day, 1, own.user.id.toUpperCase());
    expect([await daredBy(player), await daredBy(own)]).toEqual([null, null]);
  });

  test('has a page with its own words for previews, while its day runs and its player is shown', async () => {
    const name = `"><b>Nora</b> & 'Co'`;
    const players = await Promise.all(Array.from({ length: 4 }, () => aSignedInVisitor(server, { name })));
    const [nora, hidden, banned, deleted] = players as [Player, Player, Player, Player];
    await Promise.all(players.map((player) => playChallenge(player, day, RESULTS)));
    const linkOf = ({ user }: Player, on = day) => `/d/${dareCode({ playerId: user.id, day: on })}`;
    const pageOf = async (path: string) => {
      const response = await fetch(server.origin + path, { headers: { accept: 'text/html' } });
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache']);
      return (await response.text()).replace(/\s+/g, ' ');
    };
    const general = await pageOf('/');
    const page = await pageOf(linkOf(nora));
    const title = '&#34;&#62;&#60;b&#62;Nora&#60;/b&#62; &#38; &#39;Co&#39; dares you: 3 of 5';
    for (const words of [
      `property="og:title" content="${title}"`,
      `name="twitter:title" content="${title}"`,
      `property="og:url" content="${server.origin}${linkOf(nora)}"`,
      'property="og:description" content="Today&#39;s five games',
    ])
      expect(page).toContain(words);
    expect(page.replace(/content="[^"]*"/g, '')).toBe(general.replace(/content="[^"]*"/g, ''));
    for (const behind of ['.', '%29', '?utm_source=x']) expect(await pageOf(linkOf(nora) + behind)).toBe(page);
    const etag = (await fetch(server.origin + linkOf(nora))).headers.get('etag')!;
    const again = await fetch(server.origin + linkOf(nora), { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('x-robots-tag')]).toEqual([304, 'noindex']);
    expect((await fetch(server.origin + linkOf(nora), { method: 'POST' })).status).toBe(405);

    const ownPage = (player: Player) => `/p/${pageCode(player.user.id)}`;
    const own = await pageOf(ownPage(nora));
    expect(own).toContain(
      'property="og:title" content="&#34;&#62;&#60;b&#62;Nora&#60;/b&#62; &#38; &#39;Co&#39;, score 2"',
    );
    expect(own).toContain(`property="og:url" content="${server.origin}${ownPage(nora)}"`);
    for (const secret of [nora.user.email, nora.user.id]) expect(own).not.toContain(secret);
    expect(own.replace(/content="[^"]*"/g, '')).toBe(general.replace(/content="[^"]*"/g, ''));
    for (const behind of ['.', '%29', '?utm_source=x']) expect(await pageOf(ownPage(nora) + behind)).toBe(own);

    await ttt(server, 'player', 'hide', hidden.user.id, '--reason', 'A bot');
    await banned.signOut();
    await ttt(server, 'player', 'ban', banned.user.id, '--reason', 'A bot');
    await deleted.graphql('mutation { deleteAccount }');
    const unfinished = await aSignedInVisitor(server);
    await playChallenge(unfinished, day, ['win']);
    const tomorrow = new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
    const others = [hidden, banned, deleted, unfinished].map((player) => linkOf(player));
    for (const path of [...others, linkOf(nora, tomorrow), `${linkOf(nora)}A`, '/d/nobody', '/d/', '/d/%3Cb%3E'])
      expect(await pageOf(path)).toBe(general);
    const wrong = ['A', '-']
      .map((more) => ownPage(nora) + more)
      .concat(ownPage(nora).replace(/.$/, 'B'), '/p/', '/p/nobody');
    for (const path of [...[hidden, banned, deleted].map(ownPage), ...wrong])
      expect([path, await pageOf(path)]).toEqual([path, general]);
    await nora.graphql('mutation { setPageOpen(open: false) }');
    expect(await pageOf(ownPage(nora))).toBe(general);
    await server.moveClock(DAY);
    expect(await pageOf(linkOf(nora))).toBe(general);
  });

  test('is in no index of a search, unlike the game, and may be read for a preview', async () => {
    const answers = ['/d/nobody', '/p/nobody', '/', '/robots.txt'].map((path) => fetch(server.origin + path));
    const [dare, page, game, robots] = await Promise.all(answers);
    const tags = [dare, page, game].map((answer) => answer!.headers.get('x-robots-tag'));
    expect(tags).toEqual(['noindex', 'noindex', null]);
    expect(robots!.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await robots!.text()).toMatch(/^User-agent: \*\nDisallow:\n$/m);
  });
});

test('an account is deleted with its attempts', async () => {
  const player = await aSignedInVisitor(server);
  await playChallenge(player, day, ['lose']);
  expect((await player.graphql('mutation { deleteAccount }')).data).toEqual({ deleteAccount: true });
  expect(await query(server, 'SELECT FROM challenge_attempts WHERE player_id = $1', [player.user.id])).toEqual([]);
});

test.each([
  ['day: "22.11.2026", game: 1, move: 1, square: 0', 'day must be a UTC day such as 2026-11-22.'],
  ['day: "2031-02-30", game: 1, move: 1, square: 0', 'day must be a UTC day such as 2026-11-22.'],
  ['day: "2031-02-03", game: 1, move: 6, square: 0', 'move must be a whole number from 1 to 5.'],
  ['day: "2031-02-03", game: 1, move: 1, square: 9', 'square must be a whole number from 0 to 8.'],
])('refuses the input %s', async (input, message) => {
  const player = await aSignedInVisitor(server);
  const { errors } = await player.graphql(`mutation { playChallengeMove(${input}) { __typename } }`);
  expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
});

test('an unknown player after whom the table goes on gives an empty list', async () => {
  const { data } = await new Visitor(server).graphql<Table>(TABLE(day, randomUUID()));
  expect(data!.challenge.entries).toEqual([]);
});
