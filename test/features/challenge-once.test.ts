import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { challengeOf, DAY, startChallenge, stopAtNoon } from '../support/challenge.js';
import { aPerson, link, unlink } from '../support/link.js';
import { aServer, query, type Server, startBeside } from '../support/server.js';
import { aSignedInVisitor, at, Visitor } from '../support/visitor.js';

const server = aServer();
let day: string;
beforeEach(async () => {
  day = await stopAtNoon(server, Date.parse('2032-05-01T12:00:00Z'));
});

const anAddress = () => `${randomUUID()}@example.org`;
const deleteAccount = async (player: Visitor) =>
  expect((await player.graphql('mutation { deleteAccount }')).data).toEqual({ deleteAccount: true });
const OTHER_ACCOUNT = { __typename: 'ChallengeRefused', reason: 'other_account_played' };
const PLAYED = { __typename: 'ChallengePlayed' };

test('a person who deletes the account has no second attempt at the challenge of the day, but one tomorrow', async () => {
  const email = anAddress();
  const player = await aSignedInVisitor(server, { email });
  expect(await startChallenge(player, day, 1)).toMatchObject(PLAYED);
  await deleteAccount(player);
  const again = await aSignedInVisitor(server, { email });
  expect(await startChallenge(again, day, 1)).toMatchObject(OTHER_ACCOUNT);
  expect((await challengeOf(again)).attempt.games[0]).toMatchObject({ started: false });
  await deleteAccount(again);
  const third = await aSignedInVisitor(server, { email });
  expect(await startChallenge(third, day, 1)).toMatchObject(OTHER_ACCOUNT);

  await server.moveClock(DAY);
  const tomorrow = await aSignedInVisitor(server, { email });
  const { attempt } = await challengeOf(tomorrow);
  expect(await startChallenge(tomorrow, attempt.day, 1)).toMatchObject(PLAYED);
});

test('a deletion before the start takes nothing away', async () => {
  const email = anAddress();
  await deleteAccount(await aSignedInVisitor(server, { email }));
  const again = await aSignedInVisitor(server, { email });
  expect(await startChallenge(again, day, 1)).toMatchObject(PLAYED);
  expect(await startChallenge(again, day, 1)).toMatchObject(PLAYED);
});

test('two identities that part before the start have one attempt, even when both start at once', async () => {
  const player = await aSignedInVisitor(server);
  const person = aPerson();
  await link(player, 'github', person);
  await unlink(player, 'github');
  const other = await new Visitor(server).signIn({ provider: 'github', ...person });
  const starts = await Promise.all([player, other].map((one) => startChallenge(one, day, 1)));
  const names = starts.map(({ __typename }) => __typename).sort();
  expect(names).toEqual(['ChallengePlayed', 'ChallengeRefused']);
});

test('a chain of accounts is one person, and leaves one row for each identity', async () => {
  const [first, second] = [aPerson(), aPerson()];
  const player = await new Visitor(server).signIn({ provider: 'google', ...first });
  await startChallenge(player, day, 1);
  await link(player, 'github', second);
  await unlink(player, 'google');
  await deleteAccount(player);
  // The second identity comes back with a third one, which then leaves.
  const again = await new Visitor(server).signIn({ provider: 'github', ...second });
  const third = aPerson();
  await link(again, 'google', third);
  await unlink(again, 'google');
  const last = await new Visitor(server).signIn({ provider: 'google', ...third });
  for (const one of [last, again, await new Visitor(server).signIn({ provider: 'google', ...first })]) {
    expect(await startChallenge(one, day, 1)).toMatchObject(OTHER_ACCOUNT);
  }
  const rows = await query(server, 'SELECT FROM challenge_identities WHERE started_by = $1', [player.user.id]);
  expect(rows).toHaveLength(3);
});

describe('on two servers whose clocks differ at midnight, the time of the database decides the day, and an unlinked identity has no second attempt', () => {
  let other: Server;
  beforeAll(async () => void (other = await startBeside(server)));
  afterEach(() => other.skewClock(0));
  afterAll(() => other.remove());

  test.each([
    { one: 'ahead', from: -2_000, skew: 5_000 },
    { one: 'behind', from: 2_000, skew: -5_000 },
  ])('when it leaves the account on the server that is $one', async ({ from, skew }) => {
    const person = aPerson();
    const midnight = Date.parse(day) + DAY;
    for (const each of [server, other]) await stopAtNoon(each, midnight + from);
    const today = new Date(midnight + from).toISOString().slice(0, 10);
    const player = await aSignedInVisitor(server);
    expect(await startChallenge(player, today, 1)).toMatchObject(PLAYED);
    await link(player, 'github', person);
    await other.skewClock(skew);
    expect((await unlink(at(other, player), 'github')).errors).toBeUndefined();
    const second = await new Visitor(server).signIn({ provider: 'github', ...person });
    expect(await startChallenge(second, today, 1)).toMatchObject(OTHER_ACCOUNT);
    // Nor does the other server begin the day that it takes for today.
    const its = new Date(midnight + from + skew).toISOString().slice(0, 10);
    expect(await startChallenge(at(other, second), its, 1)).toMatchObject({ reason: 'not_today' });
  });
});

test('other people can start, and no name, address or subject is stored', async () => {
  const [ada, grace] = await Promise.all([aSignedInVisitor(server), aSignedInVisitor(server)]);
  expect(await startChallenge(ada, day, 1)).toMatchObject(PLAYED);
  expect(await startChallenge(grace, day, 1)).toMatchObject(PLAYED);
  const rows = await query(server, 'SELECT * FROM challenge_identities WHERE started_by = $1', [ada.user.id]);
  expect(rows).toEqual([
    { day: expect.anything(), identity_hash: expect.any(Buffer), person_id: ada.user.id, started_by: ada.user.id },
  ]);
});
