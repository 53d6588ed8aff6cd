import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SQUARES } from '../../game/board.js';
import { CHALLENGE_DIFFICULTIES, parOf } from '../../game/challenge.js';
import { replay } from '../../game/replay.js';
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
  `{ challenge(day: "${on}") { entries(limit: 2${after && `, after: "${after}"`}) {
    place playerId totalMoves } } }`;

interface Table {
  challenge: {
    entries: { place: number; playerId: string; totalMoves: number }[];
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
