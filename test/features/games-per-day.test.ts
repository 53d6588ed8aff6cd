import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { squaresFor } from '../builders/finished-game.js';
import { finishGame, startGame, statsOf } from '../support/play.js';
import { PATIENT, type Server, startServer } from '../support/server.js';
import { aSignedInVisitor, at, type TokenAnswer, type Visitor } from '../support/visitor.js';

const HOUR = 3_600_000;
const LIMIT = 3;
const GATHERED = 16;
const COUNTED = new Array<string>(LIMIT).fill('counted');
const TOO_MANY = new Array<string>(GATHERED).fill('too_many_games_today');

let server: Server;
let other: Server;
/** Only `move` moves the two clocks. */
let stoppedAt: number;
let moved = 0;
/** The end of the day on which a test begins. */
let midnight: number;

beforeAll(async () => {
  const env = { ...PATIENT, GAMES_PER_DAY: String(LIMIT), AUTH_SECRET: 'one secret for both of the two servers' };
  server = await startServer({ env });
  other = await startServer({ env, databaseUrl: server.databaseUrl, publicOrigin: server.origin });
  await Promise.all([server, other].map((one) => one.stopClock()));
  stoppedAt = Date.now();
});
/** Each test begins at noon of a day of its own. */
beforeEach(async () => {
  const now = stoppedAt + moved;
  midnight = (Math.floor(now / (24 * HOUR)) + 2) * 24 * HOUR;
  await move(midnight - 12 * HOUR - now);
});
afterAll(async () => {
  await other.remove();
  await server.remove();
});

async function move(by: number): Promise<void> {
  moved += by;
  await Promise.all([server, other].map((one) => one.moveClock(by)));
}

/** Moves past midnight and renews the access token. */
async function sleep(player: Visitor): Promise<void> {
  await move(12 * HOUR);
  player.keep((await (await player.refresh()).json()) as TokenAnswer);
}

async function play(player: Visitor) {
  const ticket = await startGame(player, 'easy');
  await move(5_000);
  const answer = await finishGame(player, ticket.token, squaresFor({ ...ticket, result: 'win' }));
  return { ticket, answer: answer.data!.finishGame };
}

const wins = async (player: Visitor) => (await statsOf(player)).wins;

test('ticket and answer say how many games count in a day, when they are used up and when they count again', async () => {
  const player = await aSignedInVisitor(server);
  const countsFrom = new Date(midnight).toISOString();
  for (let game = 1; game <= LIMIT; game++) {
    const { ticket, answer } = await play(player);
    expect(ticket).toMatchObject({ counts: true, countsFrom: null, gamesPerDay: LIMIT });
    const from = game < LIMIT ? null : countsFrom;
    expect(answer).toMatchObject({ __typename: 'GameCounted', countsFrom: from, gamesPerDay: LIMIT });
  }

  const { ticket, answer } = await play(player);
  expect(ticket).toMatchObject({ counts: false, countsFrom });
  expect(answer).toEqual({
    __typename: 'GameRefused',
    reason: 'too_many_games_today',
    message: expect.stringContaining('after midnight UTC'),
    countsFrom,
    gamesPerDay: LIMIT,
  });
  expect(await wins(player)).toBe(LIMIT);

  await sleep(player);
  const squares = squaresFor({ ...ticket, result: 'win' });
  const later = await finishGame(player, ticket.token, squares);
  expect(later.data!.finishGame).toMatchObject({ __typename: 'GameCounted', countsFrom: null });
  // It counts for the new day, so two more games have room.
  for (let game = 2; game <= LIMIT; game++) expect((await play(player)).answer.__typename).toBe('GameCounted');
  expect((await startGame(player, 'hard')).counts).toBe(false);
  // A repeated request for a counted game is never refused.
  expect(await finishGame(player, ticket.token, squares)).toMatchObject({
    data: { finishGame: { __typename: 'GameCounted', countsFrom: new Date(midnight + 24 * HOUR).toISOString() } },
  });
});

test("tickets gathered over days and sent to two servers at once count no more than one day's games", async () => {
  const player = await aSignedInVisitor(server);
  const tickets = await Promise.all(Array.from({ length: GATHERED }, () => startGame(player, 'easy')));
  await move(5_000);
  const finish = (only: typeof tickets, from: Visitor[]) =>
    Promise.all(
      only.map(async (ticket, index) => {
        const sender = from[index % from.length]!;
        const { data } = await finishGame(sender, ticket.token, squaresFor({ ...ticket, result: 'win' }));
        return data!.finishGame.reason ?? 'counted';
      }),
    );
  const answers = await finish(tickets, [player, at(other, player)]);
  expect(answers.toSorted()).toEqual([...COUNTED, ...TOO_MANY.slice(LIMIT)]);

  const refused = tickets.filter((_, index) => answers[index] !== 'counted');
  await sleep(player);
  expect((await finish(refused, [player, at(other, player)])).toSorted().slice(0, LIMIT + 1)).toEqual([
    ...COUNTED,
    'too_many_games_today',
  ]);
  expect(await wins(player)).toBe(2 * LIMIT);
});

test('two servers with clocks on either side of midnight keep the limit of both days', async () => {
  const player = await aSignedInVisitor(server);
  await move(12 * HOUR - 90_000);
  player.keep((await (await player.refresh()).json()) as TokenAnswer);
  await other.moveClock(120_000);
  const inTurn: Visitor[] = [at(other, player), player, at(other, player), player, at(other, player), player];
  for (const sender of inTurn) expect((await play(sender)).answer.__typename).toBe('GameCounted');
  const [early, late] = [(await play(player)).answer, (await play(at(other, player))).answer];
  await other.moveClock(-120_000);
  const refused = (from: number) => ({
    reason: 'too_many_games_today',
    countsFrom: new Date(from).toISOString(),
  });
  expect([early, late]).toMatchObject([refused(midnight), refused(midnight + 24 * HOUR)]);
  expect(await wins(player)).toBe(2 * LIMIT);
});
