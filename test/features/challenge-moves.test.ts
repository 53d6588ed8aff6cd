import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SQUARES } from '../../game/board.js';
import { CHALLENGE_DIFFICULTIES, parOf } from '../../game/challenge.js';
import { positionAfter } from '../../game/position.js';
import { replay } from '../../game/replay.js';
import {
  answerPosition,
  challengeMove,
  challengeOf,
  type ChallengePosition,
  challengeSquares,
  DAY,
  playChallenge,
  playChallengeGames,
  seedsOf,
  startChallenge,
  stopAtNoon,
} from '../support/challenge.js';
import { link } from '../support/link.js';
import { type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

/** The first of the days of these tests. Each test has its own, so that nobody else is in its table. */
const FIRST_DAY = Date.parse('2033-05-01T12:00:00Z');

let server: Server;
let days = 0;
let day: string;

beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.remove());
beforeEach(async () => {
  day = await stopAtNoon(server, FIRST_DAY + days++ * 3 * DAY);
});

/** The player's squares of a game that wins with this many moves, if there is one. */
function winWith(moves: number, game: number): number[] | undefined {
  const longer = (lines: number[][]): number[][] =>
    lines.flatMap((line) => SQUARES.filter((square) => !line.includes(square)).map((square) => [...line, square]));
  let lines: number[][] = [[]];
  for (let move = 0; move < moves; move++) lines = longer(lines);
  const [difficulty, seed] = [CHALLENGE_DIFFICULTIES[game - 1]!, seedsOf(day)[game - 1]!];
  return lines.find((squares) => {
    const played = replay({ difficulty, seed, squares });
    return played.ok && played.game.result === 'win';
  });
}

const TABLE = (on: string, after = '') =>
  `{ challenge(day: "${on}") { position { squares task best answer } entries(limit: 2${after && `, after: "${after}"`}) {
    place playerId totalMoves solved } } }`;

interface Table {
  challenge: {
    position: ChallengePosition | null;
    entries: { place: number; playerId: string; totalMoves: number; solved: boolean | null }[];
  };
}

const tableOf = async (on: string, after?: string) =>
  (await new Visitor(server).graphql<Table>(TABLE(on, after))).data!.challenge;

describe('equal results', () => {
  test('are told apart by moves, share a place with equal moves, and the table goes on in that order', async () => {
    const players = await Promise.all(Array.from({ length: 4 }, () => aSignedInVisitor(server)));
    const rest = ([2, 3, 4, 5] as const).map((game) => challengeSquares(day, game, game === 5 ? 'draw' : 'win'));
    const [short, long] = [winWith(3, 1)!, winWith(4, 1)!];
    const games = [long, short, short, challengeSquares(day, 1, 'lose')];
    await Promise.all(players.map((player, at) => playChallengeGames(player, day, [games[at]!, ...rest])));

    const mine = await Promise.all(players.map(challengeOf));
    expect(mine.map(({ place }) => place)).toEqual([3, 1, 1, 4]);
    const [ofLong, ofShort] = mine.map(({ attempt }) => attempt.totalMoves!);
    expect(ofLong).toBe(ofShort! + 1);
    const entries: Table['challenge']['entries'] = [];
    for (let page = 2; page === 2;) {
      const next = (await tableOf(day, entries.at(-1)?.playerId)).entries;
      entries.push(...next);
      page = next.length;
    }
    expect(entries.map(({ place }) => place)).toEqual([1, 1, 3, 4]);
    expect(entries.map(({ playerId }) => playerId).slice(2)).toEqual([players[0]!.user.id, players[3]!.user.id]);
    expect(entries.map(({ totalMoves }) => totalMoves)).toEqual([
      ofShort,
      ofShort,
      ofLong,
      mine[3]!.attempt.totalMoves,
    ]);
  });

  test('count five for a game that is lost quickly, and for one that is left', async () => {
    const [quick, left] = await Promise.all([aSignedInVisitor(server), aSignedInVisitor(server)]);
    await playChallenge(quick, day, ['lose', 'lose', 'lose', 'lose', 'lose']);
    expect((await challengeOf(quick)).attempt.totalMoves).toBe(25);
    await startChallenge(left, day, 1);
    await challengeMove(left, day, [1, 1, 4]);
    await server.moveClock(DAY);
    const { entries } = await tableOf(day);
    expect(entries.map(({ place, totalMoves }) => [place, totalMoves])).toEqual([
      [1, 25],
      [1, 25],
    ]);
  });

  test('have a par, which is shown after the fifth game and in no answer before', async () => {
    const player = await aSignedInVisitor(server);
    await playChallenge(player, day, ['win', 'win', 'win', 'win']);
    expect(await challengeOf(player)).toMatchObject({ par: null, attempt: { totalMoves: null } });
    await playChallenge(player, day, ['draw'], 5);
    const { par, attempt } = await challengeOf(player);
    expect(par).toBe(parOf(seedsOf(day)));
    expect(attempt.totalMoves).toBeGreaterThanOrEqual(par!);
  });
});

describe('the position of the day', () => {
  const best = (squares: readonly number[]) => positionAfter(squares as never)!.best;
  const wrong = ({ squares }: ChallengePosition) =>
    SQUARES.find((square) => !squares.includes(square) && square !== best(squares))!;

  test('is the same for everybody, and takes one answer', async () => {
    const [ada, grace] = await Promise.all([aSignedInVisitor(server), aSignedInVisitor(server)]);
    const position = (await challengeOf(ada)).attempt.position!;
    expect(position).toEqual({ ...position, answer: null, best: null, solved: null });
    expect((await challengeOf(grace)).attempt.position).toEqual(position);
    const solution = best(position.squares);

    const taken = await answerPosition(ada, day, position.squares[0]!);
    expect(taken).toMatchObject({ reason: 'illegal_move', attempt: { position: { answer: null, best: null } } });
    const solved = { ...position, answer: solution, best: solution, solved: true };
    expect((await answerPosition(ada, day, solution)).attempt.position).toEqual(solved);
    expect((await answerPosition(ada, day, solution)).__typename).toBe('ChallengePlayed');
    expect(await answerPosition(ada, day, wrong(position))).toMatchObject({ reason: 'other_square_played' });
    expect((await challengeOf(ada)).attempt.position).toEqual(solved);

    const answer = await answerPosition(grace, day, wrong(position));
    expect(answer.attempt.position).toMatchObject({ solved: false, best: solution });
  });

  test('is answered before, between or after the games, and changes nothing about them', async () => {
    const [before, between, after, alone] = await Promise.all(
      Array.from({ length: 4 }, () => aSignedInVisitor(server)),
    );
    const solution = best((await challengeOf(before!)).attempt.position!.squares);
    const results = ['win', 'win', 'win', 'win', 'draw'] as const;
    await answerPosition(before!, day, solution);
    await playChallenge(before!, day, results);
    await playChallenge(between!, day, results.slice(0, 2));
    await answerPosition(between!, day, solution);
    await playChallenge(between!, day, results.slice(2), 3);
    await playChallenge(after!, day, results);
    await answerPosition(after!, day, solution);
    await answerPosition(alone!, day, solution);
    for (const player of [before!, between!, after!]) {
      expect(await challengeOf(player)).toMatchObject({
        place: 1,
        players: 3,
        attempt: { position: { solved: true } },
      });
    }
    expect(await challengeOf(alone!)).toMatchObject({ place: null, daysInARow: 0 });
    await server.moveClock(DAY);
    const table = await tableOf(day);
    expect(table.entries.map(({ place, solved }) => [place, solved])).toEqual([
      [1, true],
      [1, true],
    ]);
    expect((await tableOf(day, table.entries.at(-1)!.playerId)).entries).toHaveLength(1);
  });

  test('stays answered when its account is added to one that has played the games', async () => {
    const player = await aSignedInVisitor(server);
    const person = { name: 'Other', email: `other-${player.user.id}@example.org` };
    const other = await new Visitor(server).signIn({ ...person, provider: 'github' });
    await playChallenge(player, day, ['win', 'win', 'win', 'win', 'draw']);
    const position = (await challengeOf(other)).attempt.position!;
    await answerPosition(other, day, wrong(position));
    await link(player, 'github', person);
    expect(await challengeOf(player)).toMatchObject({
      attempt: { totalMoves: expect.any(Number), position: { answer: wrong(position), solved: false } },
    });
  });

  test('of two answers at the same time, one stands', async () => {
    const player = await aSignedInVisitor(server);
    const position = (await challengeOf(player)).attempt.position!;
    const squares = SQUARES.filter((square) => !position.squares.includes(square));
    const answers = await Promise.all(squares.map((square) => answerPosition(player, day, square)));
    expect(answers.filter(({ __typename }) => __typename === 'ChallengePlayed')).toHaveLength(1);
    const given = new Set(answers.map(({ attempt }) => attempt.position!.answer).filter((square) => square !== null));
    expect(given.size).toBe(1);
  });

  test('shows neither itself before its day nor its solution before the answer, until one minute after the day', async () => {
    const player = await aSignedInVisitor(server);
    const tomorrow = new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
    expect(await answerPosition(player, tomorrow, 0)).toMatchObject({
      reason: 'not_today',
      attempt: { position: null },
    });
    expect((await tableOf(tomorrow)).position).toBeNull();
    const position = (await challengeOf(player)).attempt.position!;
    expect((await tableOf(day)).position).toBeNull();
    await startChallenge(player, day, 1);
    await server.moveClock(DAY / 2 + 30_000);
    await player.refresh().then(async (answer) => player.keep((await answer.json()) as Parameters<Visitor['keep']>[0]));
    const refused = await answerPosition(player, day, wrong(position));
    expect(refused).toMatchObject({ reason: 'not_today', attempt: { position: { best: null } } });
    expect((await tableOf(day)).position).toBeNull();
    await server.moveClock(60_000);
    const { squares, task } = position;
    expect((await tableOf(day)).position).toEqual({ squares, task, best: best(squares), answer: null });
  });

  test('does not come again on the 28 days after it', async () => {
    const player = await aSignedInVisitor(server);
    const shown: string[] = [];
    for (let at = 0; at < 40; at++) {
      const { squares } = (await challengeOf(player)).attempt.position!;
      const { task, plausible } = positionAfter(squares as never)!;
      shown.push(JSON.stringify([task, plausible, pictureOf(squares)]));
      await server.moveClock(DAY);
      await player
        .refresh()
        .then(async (answer) => player.keep((await answer.json()) as Parameters<Visitor['keep']>[0]));
    }
    for (const [at, picture] of shown.entries()) expect(shown.slice(at + 1, at + 29)).not.toContain(picture);
  });

  test.each([
    ['square: 9', 'square must be a whole number from 0 to 8'],
    ['square: -1', 'square must be a whole number from 0 to 8'],
  ])('refuses %s', async (input, message) => {
    const player = await aSignedInVisitor(server);
    const { errors } = await player.graphql(
      `mutation { answerChallengePosition(day: "${day}", ${input}) { __typename } }`,
    );
    expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
  });
});

/** The same for all symmetries of a board. */
function pictureOf(squares: readonly number[]): string {
  const turn = (board: string) => [6, 3, 0, 7, 4, 1, 8, 5, 2].map((at) => board[at]).join('');
  const mirror = (board: string) => [2, 1, 0, 5, 4, 3, 8, 7, 6].map((at) => board[at]).join('');
  let board = SQUARES.map((square) => '.XO'[squares.includes(square) ? 1 + (squares.indexOf(square) % 2) : 0]).join('');
  const all: string[] = [];
  for (let turns = 0; turns < 4; turns++) {
    board = turn(board);
    all.push(board, mirror(board));
  }
  return all.sort()[0]!;
}
