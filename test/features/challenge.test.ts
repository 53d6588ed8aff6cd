import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  challengeMove,
  challengeOf,
  challengeSquares,
  DAY,
  daysFrom,
  playChallenge,
  seedsOf,
  startChallenge,
  stopAtNoon,
  waitAs,
} from '../support/challenge.js';
import { eventually } from '../support/page.js';
import { aMadePlayer } from '../support/made.js';
import { statsOf } from '../support/play.js';
import { aServer, logged, query, type Server, SHARED_SECRET, startBeside } from '../support/server.js';
import { at, type Visitor } from '../support/visitor.js';

const server = aServer();
const nextDay = daysFrom(server, '2031-05-01');
let day: string;
beforeEach(async () => void (day = await nextDay()));

describe('an attempt', () => {
  test('has five games with the same bot for everybody, and counts in the stats', async () => {
    const [ada, grace] = await Promise.all([aMadePlayer(server), aMadePlayer(server)]);
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
    const player = await aMadePlayer(server);
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
    const player = await aMadePlayer(server);
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
    const player = await aMadePlayer(server);
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
    const player = await aMadePlayer(server);
    await startChallenge(player, day, 1);
    const answer = await challengeMove(player, day, [1, 1, 4]);
    await waitAs(server, player, DAY);
    const { games } = answer.attempt;
    expect(await challengeMove(player, day, [1, 1, 4])).toMatchObject({ ...answer, attempt: { games } });
    const free = [0, 1, 2].find((square) => square !== answer.botSquare)!;
    expect(await challengeMove(player, day, [1, 2, free])).toMatchObject({ reason: 'not_today' });
    expect(await startChallenge(player, day, 2)).toMatchObject({ reason: 'not_today' });
  });

  test('counts a game that was lost between its last move and the stats', async () => {
    const player = await aMadePlayer(server);
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
    const away = await aMadePlayer(server);
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
    // This server already signs with another secret, and lets one game a day count.
    const AUTH_SECRET = `another secret of the second server,${SHARED_SECRET},${SHARED_SECRET}`;
    second = await startBeside(server, { AUTH_SECRET, GAMES_PER_DAY: '1' });
    gone = away.user.id;
  });
  beforeEach(async () => {
    await stopAtNoon(second, Date.parse(`${day}T12:00:00Z`));
  });
  afterAll(() => second.remove());

  test('one of two servers settles the abandoned games of players who are signed out', async () => {
    // Either may be faster.
    await logged(both, 'challenge_settled');
    await logged(second, `The attempt of ${gone} on `);
    expect(await lossesOfGone()).toEqual([{ losses: 1 }]);
    const sessions = await query(server, 'SELECT FROM sessions WHERE player_id = $1', [gone]);
    expect(sessions).toHaveLength(1);
    expect(await query(server, `SELECT FROM challenge_identities WHERE day = '2026-01-01'`)).toEqual([]);
  });

  test('both have the seeds of the server that began the day', async () => {
    const player = await aMadePlayer(server);
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
    const player = await aMadePlayer(server);
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

  test('over the limit of the day, a result waits for the stats until the day is over, when an abandoned game is lost', async () => {
    const [player, quitter] = [await aMadePlayer(server), await aMadePlayer(server)];
    const limited = at(second, player);
    await startChallenge(player, day, 1);
    const last = await playChallenge(limited, day, ['win', 'win', 'lose', 'lose', 'draw']);
    expect(last.attempt.games.map(({ result }) => result)).toEqual(['win', 'win', 'lose', 'lose', 'draw']);
    expect(last.stats).toMatchObject({ wins: 1, losses: 0, draws: 0 });
    expect(await challengeOf(limited)).toMatchObject({ place: 1 });
    await playChallenge(quitter, day, ['win']);
    await startChallenge(quitter, day, 2);
    await challengeMove(quitter, day, [2, 1, 4]);
    expect(await statsOf(quitter)).toMatchObject({ wins: 1, losses: 0 });

    await waitAs(server, player, DAY);
    await waitAs(server, quitter, 0);
    // A server settles the earlier days at its start, and then once a minute: it may have done so already.
    await server.restart();
    const stats = (of: Visitor) => () => statsOf(of, 'score wins losses draws');
    await eventually(stats(player), { score: 0, wins: 2, losses: 2, draws: 1 });
    await eventually(stats(quitter), { score: 0, wins: 1, losses: 1, draws: 0 });
    const { data } = await quitter.graphql<{
      me: { games: { edges: { node: { result: string; moves: unknown[]; seed: string } }[] } };
    }>('{ me { games { edges { node { result seed moves { square } } } } } }');
    const [game] = data!.me.games.edges;
    expect(game!.node).toMatchObject({ result: 'lose', seed: seedsOf(day)[1] });
    expect(game!.node.moves).toHaveLength(2);
  });
});

test('refuses a malformed day, a move beyond 5 and a square beyond 8', async () => {
  const player = await aMadePlayer(server);
  for (const [input, message] of [
    ['day: "22.11.2026", game: 1, move: 1, square: 0', 'day must be a UTC day such as 2026-11-22.'],
    ['day: "2031-02-03", game: 1, move: 6, square: 0', 'move must be a whole number from 1 to 5.'],
    ['day: "2031-02-03", game: 1, move: 1, square: 9', 'square must be a whole number from 0 to 8.'],
  ]) {
    const { errors } = await player.graphql(`mutation { playChallengeMove(${input}) { __typename } }`);
    expect([input, errors]).toMatchObject([input, [{ message, extensions: { code: 'BAD_USER_INPUT' } }]]);
  }
});
