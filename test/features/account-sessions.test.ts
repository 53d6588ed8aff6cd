import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { aServer, query, waitOn } from '../support/server.js';
import { aSignedInVisitor, dataOf, personalTokenOf, Visitor } from '../support/visitor.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

interface Session {
  id: string;
  browser: string;
  signedInAt: string;
  lastSeenAt: string;
  current: boolean;
}

const server = aServer();
const wait = waitOn(() => server);

const FIELDS = '{ id browser signedInAt lastSeenAt current }';
const anAddress = () => `${randomBytes(6).toString('hex')}@example.org`;
const signIn = (email: string, userAgent?: string) =>
  Object.assign(new Visitor(server), { userAgent }).signIn({ name: 'Ada', email });
const endSession = (player: Visitor, id: string) =>
  player.graphql<{ endSession: Session[] }>(`mutation ($id: ID!) { endSession(id: $id) ${FIELDS} }`, { id });

const mySessions = async (player: Visitor) =>
  dataOf(await player.graphql<{ mySessions: Session[] }>(`{ mySessions ${FIELDS} }`)).mySessions;

/** Says whether both tokens are refused. A cleared cookie does not hide a refresh token that still works. */
async function isOver(player: Visitor, cookie: string): Promise<boolean> {
  const { status } = await new Visitor(server).refresh(cookie);
  return status === 401 && !(await player.isSignedIn());
}

describe("a player's own sessions", () => {
  test('are listed with browser and time, the last used first, and the current one is marked', async () => {
    const email = anAddress();
    const laptop = await signIn(email, FIREFOX);
    await wait(MINUTE);
    const phone = await signIn(email, IPHONE);
    await wait(MINUTE);
    const script = await signIn(email);
    await wait(MINUTE);
    await laptop.refresh();
    const sessions = await mySessions(laptop);
    expect(sessions.map(({ browser, current }) => [browser, current])).toEqual([
      ['Firefox on Linux', true],
      ['Unknown browser', false],
      ['Safari on iOS', false],
    ]);
    const [first, second] = sessions;
    expect(Date.parse(first!.lastSeenAt) - Date.parse(first!.signedInAt)).toBeGreaterThanOrEqual(3 * MINUTE);
    expect(second!.lastSeenAt).toBe(second!.signedInAt);
    expect((await mySessions(phone)).find(({ current }) => current)?.browser).toBe('Safari on iOS');
    expect(await script.isSignedIn()).toBe(true);
  });

  test('are listed only while they are alive', async () => {
    const email = anAddress();
    await signIn(email);
    const signedOut = await signIn(email);
    await signedOut.signOut();
    await wait(14 * DAY);
    const player = await signIn(email);
    expect((await mySessions(player)).map(({ current }) => current)).toEqual([true]);
  });
});

describe('a player has 100 sessions', () => {
  const OTHERS = 98;
  /** Stores sessions of other browsers, which began with the one that the player has and are live or ended. */
  const storeOthers = ({ user }: Visitor, isEnded: boolean, count = OTHERS) =>
    query(
      server,
      `INSERT INTO sessions (player_id, created_at, last_seen_at, expires_at, revoked_at)
       SELECT player_id, created_at + at * interval '1 millisecond', last_seen_at, expires_at, ${isEnded ? 'created_at' : null}
       FROM sessions, generate_series(1, ${count}) at WHERE player_id = '${user!.id}' AND token_hash IS NULL`,
    );
  const stored = async ({ user }: Visitor) =>
    (await query(server, `SELECT id FROM sessions WHERE player_id = '${user!.id}' AND token_hash IS NULL`)).length;

  test('at most: the oldest ends when another begins, also when several begin at once', async () => {
    const email = anAddress();
    const oldest = await signIn(email);
    const cookie = await oldest.sessionCookie();
    const accessToken = await personalTokenOf(oldest, 'stats_read');
    await storeOthers(oldest, false);
    await wait(MINUTE);
    const hundredth = await signIn(email);
    expect([await oldest.isSignedIn(), (await mySessions(hundredth)).length]).toEqual([true, 100]);
    await wait(MINUTE);
    const next = await signIn(email);
    expect(await isOver(oldest, cookie)).toBe(true);
    expect([await hundredth.isSignedIn(), (await mySessions(next)).length]).toEqual([true, 100]);
    const together = await Promise.all(Array.from({ length: 5 }, () => signIn(email)));
    for (const browser of [hundredth, next, ...together]) expect(await browser.isSignedIn()).toBe(true);
    expect(await stored(oldest)).toBe(100);
    expect(await Object.assign(new Visitor(server), { accessToken }).isSignedIn()).toBe(true);
  });

  test('the rows of those that have ended go first', async () => {
    const email = anAddress();
    const oldest = await signIn(email);
    await storeOthers(oldest, true, 1_000);
    const newest = await signIn(email);
    expect(await stored(oldest)).toBe(100);
    for (const browser of [oldest, newest]) expect(await browser.isSignedIn()).toBe(true);
  });
});

describe('ending one session', () => {
  test('revokes both of its tokens at once and leaves the other sessions alone', async () => {
    const email = anAddress();
    const [player, lost, other] = [await signIn(email), await signIn(email, FIREFOX), await signIn(email, IPHONE)];
    const cookie = await lost.sessionCookie();
    const { id } = (await mySessions(player)).find(({ browser }) => browser === 'Firefox on Linux')!;
    const { data } = await endSession(player, id);
    expect(data!.endSession.map(({ browser }) => browser).toSorted()).toEqual(['Safari on iOS', 'Unknown browser']);
    expect((await endSession(player, id)).data).toEqual(data);
    expect(await isOver(lost, cookie)).toBe(true);
    expect(await other.isSignedIn()).toBe(true);
    expect((await other.refresh()).status).toBe(200);
    expect((await player.refresh()).status).toBe(200);
  });

  test('clears the refresh cookie if it is the current one', async () => {
    const player = await signIn(anAddress());
    const cookie = await player.sessionCookie();
    const [session] = await mySessions(player);
    expect((await endSession(player, session!.id.toUpperCase())).data).toEqual({ endSession: [] });
    expect(await player.sessionCookie()).toBe('');
    expect(await isOver(player, cookie)).toBe(true);
  });

  test("answers the same for another player's session as for an unknown one, and does not end it", async () => {
    const victim = await aSignedInVisitor(server);
    const attacker = await aSignedInVisitor(server);
    const [session] = await mySessions(victim);
    const foreign = await endSession(attacker, session!.id);
    const unknown = await endSession(attacker, '7d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e');
    const malformed = await endSession(attacker, "' OR 1=1 --");
    expect(foreign.data).toBeNull();
    expect(foreign.errors?.[0]).toMatchObject({
      message: 'You have no such session. It may have ended long ago.',
      extensions: { code: 'NOT_FOUND' },
    });
    for (const answer of [unknown, malformed]) expect(withoutId(answer)).toEqual(withoutId(foreign));
    expect(await victim.isSignedIn()).toBe(true);
    expect((await victim.refresh()).status).toBe(200);
  });
});

test.each([
  ['endOtherSessions', `mutation { endOtherSessions ${FIELDS} }`, true],
  ['signOutEverywhere', 'mutation { signOutEverywhere }', false],
])('%s ends the other sessions of the player, and none of others', async (_name, operation, staysIn) => {
  const email = anAddress();
  const [player, laptop, phone] = [await signIn(email), await signIn(email, FIREFOX), await signIn(email, IPHONE)];
  const cookies = await Promise.all([laptop, phone, player].map((browser) => browser.sessionCookie()));
  const bystander = await aSignedInVisitor(server);
  expect((await player.graphql(operation)).errors).toBeUndefined();
  expect(await isOver(laptop, cookies[0]!)).toBe(true);
  expect(await isOver(phone, cookies[1]!)).toBe(true);
  if (staysIn) expect(await mySessions(player)).toMatchObject([{ current: true }]);
  else expect([await isOver(player, cookies[2]!), await player.sessionCookie()]).toEqual([true, '']);
  expect(await bystander.isSignedIn()).toBe(true);
});

describe('an irrevocable action', () => {
  const IRREVOCABLE = ['mutation { deleteAccount }', 'mutation { signOutEverywhere }'];

  test('needs a sign-in from the last ten minutes, and a refresh does not count as one', async () => {
    const email = anAddress();
    const [player, laptop] = [await signIn(email), await signIn(email, FIREFOX)];
    await wait(10 * MINUTE + 5_000);
    for (const visitor of [player, laptop]) expect((await visitor.refresh()).status).toBe(200);
    await player.renew();
    for (const operation of IRREVOCABLE) {
      const { data, errors } = await player.graphql(operation);
      expect(data).toBeNull();
      expect(errors?.[0]).toMatchObject({
        message: 'This needs a sign-in from the last ten minutes. Sign in again, then repeat it.',
        extensions: { code: 'RECENT_SIGN_IN_REQUIRED' },
      });
    }
    expect(await player.isSignedIn()).toBe(true);
    expect((await laptop.refresh()).status).toBe(200);

    const again = await signIn(email);
    expect(again.user.id).toBe(player.user.id);
    for (const operation of IRREVOCABLE.toReversed()) {
      expect((await (await signIn(email)).graphql(operation)).errors).toBeUndefined();
    }
    expect(await again.isSignedIn()).toBe(false);
  });

  test('ending the other sessions is none', async () => {
    const email = anAddress();
    const [later, thief] = [await signIn(email), await signIn(email, FIREFOX)];
    await wait(20 * MINUTE);
    await later.renew();
    const { data } = await later.graphql<{ endOtherSessions: Session[] }>(`mutation { endOtherSessions ${FIELDS} }`);
    expect(data!.endOtherSessions).toHaveLength(1);
    expect((await thief.refresh()).status).toBe(401);
  });
});

describe('a field after the end of the session in one document is refused', () => {
  const START = 'startGame(difficulty: easy) { token }';
  test.each([
    ['signOutEverywhere', `mutation { signOutEverywhere ${START} }`],
    [
      'signOutEverywhere, and does not bring the session back',
      `mutation { signOutEverywhere endOtherSessions ${FIELDS} }`,
    ],
    ['signOutEverywhere with aliases', `mutation { first: ${START} end: signOutEverywhere second: ${START} }`],
    ['signOutEverywhere in a fragment', `mutation { ...F ${START} } fragment F on Mutation { signOutEverywhere }`],
    ['signOutEverywhere twice', 'mutation { signOutEverywhere again: signOutEverywhere }'],
    ['deleteAccount', `mutation { deleteAccount ${START} }`],
    ['endSession', `mutation ($id: ID!) { endSession(id: $id) ${FIELDS} ${START} }`],
  ])('%s', async (_what, document) => {
    const player = await signIn(anAddress());
    const [own] = await mySessions(player);
    const answer = await player.graphql(document, document.includes('$id') ? { id: own!.id } : {});
    expect(answer.data).toBeNull();
    expect(answer.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(await player.isSignedIn()).toBe(false);
  });
});

function withoutId(answer: object): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) => (['requestId', 'cost'].includes(key) ? undefined : value)),
  );
}
