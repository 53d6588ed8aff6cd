import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { squaresFor } from '../builders/finished-game.js';
import { aMadePlayer } from '../support/made.js';
import { finishGame, startGame, statsOf } from '../support/play.js';
import { PATIENT, type Server, startServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { at, type Visitor } from '../support/visitor.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LIMIT = 3;
const GATHERED = 16;
const COUNTED = new Array<string>(LIMIT).fill('counted');
const TOO_MANY = new Array<string>(GATHERED).fill('too_many_games_today');

let server: Server;
let other: Server;
/** The clocks move only here. */
let now = Math.floor(Date.now() / DAY) * DAY;
/** By how much the clock of the other server is ahead. */
let ahead = 0;
/** The end of the day on which a test begins. */
let midnight: number;

beforeAll(async () => {
  const env = { ...PATIENT, GAMES_PER_DAY: String(LIMIT), AUTH_SECRET: 'one secret for both of the two servers' };
  server = await startServer({ env });
  other = await startServer({ env, databaseUrl: server.databaseUrl, publicOrigin: server.origin });
});
/** Each test begins at noon of a day of its own. */
beforeEach(async () => {
  midnight = (Math.floor(now / DAY) + 2) * DAY;
  await move(midnight - 12 * HOUR - now);
});
afterAll(async () => {
  await other.remove();
  await server.remove();
});

async function move(by: number): Promise<void> {
  now += by;
  await Promise.all([server.stopClock(now), other.stopClock(now + ahead)]);
}

/** Moves past midnight and renews the access token. */
async function sleep(player: Visitor): Promise<void> {
  await move(midnight - now);
  await player.renew();
}

async function play(player: Visitor) {
  const ticket = await startGame(player, 'easy');
  await move(5_000);
  const answer = await finishGame(player, ticket.token, squaresFor({ ...ticket, result: 'win' }));
  return { ticket, answer: answer.data!.finishGame };
}

const countVerified = async (player: Visitor) => expect((await play(player)).answer.__typename).toBe('GameCounted');
const countReported = async (player: Visitor) => expect((await player.report()).status).toBe(200);

const wins = async (player: Visitor) => (await statsOf(player)).wins;

test('ticket and answer say how many games count in a day, when they are used up and when they count again', async () => {
  const player = await aMadePlayer(server);
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
  for (let game = 2; game <= LIMIT; game++) await countVerified(player);
  expect((await startGame(player, 'hard')).counts).toBe(false);
  // A repeated request for a counted game is never refused.
  expect(await finishGame(player, ticket.token, squares)).toMatchObject({
    data: { finishGame: { __typename: 'GameCounted', countsFrom: new Date(midnight + DAY).toISOString() } },
  });
});

test.each([
  ['a reported result after verified games', countVerified, countReported],
  ['a verified game after reported results', countReported, countVerified],
])('%s uses up the day for both, until midnight', async (_what, before, last) => {
  const player = await aMadePlayer(server);
  for (let games = 1; games < LIMIT; games++) await before(player);
  expect((await startGame(player, 'easy')).counts).toBe(true);
  await last(player);
  const refused = await player.report();
  const day = new Date(midnight).toISOString().slice(0, 10);
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    String((midnight - now) / 1000),
    {
      code: 'too_many_games_today',
      error: `You have reached the limit of games for today. Send this result again after ${day} 00:00 UTC.`,
    },
  ]);
  expect((await play(player)).answer).toMatchObject({ reason: 'too_many_games_today' });
  expect(await ttt(server, 'stats', 'rebuild')).toMatchObject({ code: 0 });
  await sleep(player);
  await countReported(player);
});

test("tickets gathered over days and sent to two servers at once, beside reports, count no more than one day's games", async () => {
  const player = await aMadePlayer(server);
  const tickets = await Promise.all(Array.from({ length: GATHERED }, () => startGame(player, 'easy')));
  await move(5_000);
  /** With the token that the player has now. */
  const senders = () => [player, at(other, player)];
  const finish = (only: typeof tickets) =>
    Promise.all(
      only.map(async (ticket, index) => {
        const { data } = await finishGame(
          senders()[index % 2]!,
          ticket.token,
          squaresFor({ ...ticket, result: 'win' }),
        );
        return data!.finishGame.reason ?? 'counted';
      }),
    );
  const reports = async () => {
    const answers = await Promise.all([...senders(), ...senders()].map((sender) => sender.report()));
    return answers.map(({ status }) => (status === 429 ? TOO_MANY[0]! : 'counted'));
  };
  const [answers, reported] = await Promise.all([finish(tickets), reports()]);
  expect([...answers, ...reported].toSorted()).toEqual([...COUNTED, ...TOO_MANY, ...TOO_MANY].slice(0, GATHERED + 4));

  const refused = tickets.filter((_, index) => answers[index] !== 'counted');
  await sleep(player);
  expect((await finish(refused)).toSorted().slice(0, LIMIT + 1)).toEqual([...COUNTED, 'too_many_games_today']);
  expect(await wins(player)).toBe(2 * LIMIT);
});

test('two servers with clocks on either side of midnight keep the limit of both days', async () => {
  const player = await aMadePlayer(server);
  await move(12 * HOUR - 90_000);
  await player.renew();
  ahead = 120_000;
  await move(0);
  const inTurn: Visitor[] = [at(other, player), player, at(other, player), player, at(other, player), player];
  for (const sender of inTurn) await countVerified(sender);
  const [early, late] = [(await play(player)).answer, (await play(at(other, player))).answer];
  ahead = 0;
  const refused = (from: number) => ({
    reason: 'too_many_games_today',
    countsFrom: new Date(from).toISOString(),
  });
  expect([early, late]).toMatchObject([refused(midnight), refused(midnight + DAY)]);
  expect(await wins(player)).toBe(2 * LIMIT);
});
