import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { challengeOf, startChallenge } from '../support/challenge.js';
import {
  aPerson,
  aPlayerAt,
  confirmLink,
  link,
  linkCode,
  pendingLink,
  providersOf,
  rowsOf,
  unlink,
} from '../support/link.js';
import { type Locks, locksOn } from '../support/locks.js';
import { aServer } from '../support/server.js';
import { aReadyWin, playGame, statsOf } from '../support/play.js';
import { ttt } from '../support/ttt.js';
import { FROM_PAGE, Visitor } from '../support/visitor.js';

const server = aServer();
let locks: Locks;
beforeAll(async () => {
  // Midnight must not come between two requests.
  await server.stopClock();
  locks = await locksOn(server);
});
afterAll(() => locks.close());

const OF_PLAYERS = 'SELECT FROM players WHERE id = $1 FOR UPDATE';
const deleteAccount = (player: Visitor) => player.graphql('mutation { deleteAccount }');

/** A player with a game, and another account of the same person without one. */
async function twoAccounts() {
  const ada = await aPlayerAt(server, 'google');
  await playGame(server, ada, { result: 'win' });
  return { ada, other: await aPlayerAt(server, 'github') };
}

describe('an identity whose player has played', () => {
  test('is not linked: the answer says whose it is and what to do, and that helps', async () => {
    const { ada, other } = await twoAccounts();
    for (const result of ['win', 'draw'] as const) await playGame(server, other, { result });
    const code = await linkCode(ada, 'github', other.person);
    const refusal = {
      reason: 'has_own_player',
      message: 'This sign-in method has its own player here.',
      owner: { name: other.person.name, games: 2, isOnlyOne: false },
    };
    expect(await pendingLink(ada, code)).toEqual({ provider: 'github', ...other.person, refusal });
    expect((await confirmLink(ada, code)).data?.confirmLink).toEqual({ __typename: 'LinkRefused', ...refusal });
    expect(await providersOf(ada)).toEqual(['google']);
    expect(await statsOf(ada)).toMatchObject({ score: 1 });
    expect(await statsOf(other)).toMatchObject({ wins: 1, draws: 1 });

    await deleteAccount(other);
    expect(await link(ada, 'github', other.person)).toMatchObject({
      identities: [{ provider: 'google' }, { provider: 'github' }],
    });
    const again = await new Visitor(server).signIn({ provider: 'github', ...other.person });
    expect(again.user.id).toBe(ada.user.id);
  });

  test('takes an account that nobody has played in, and the answer says so', async () => {
    const { ada, other } = await twoAccounts();
    const code = await linkCode(other, 'google', ada.person);
    expect((await pendingLink(other, code))!.refusal!.owner).toEqual({
      name: ada.person.name,
      games: 1,
      isOnlyOne: true,
    });
    expect(await link(ada, 'github', other.person)).toMatchObject({ __typename: 'IdentityLinked' });
  });

  test('has played with a voided game alone, with an attempt at the challenge alone, and stays with a second identity', async () => {
    const { ada, other } = await twoAccounts();
    const { game } = await playGame(server, other, { result: 'win' });
    await ttt(server, 'game', 'void', other.user.id, game!.id, '--operator', 'Grace', '--reason', 'Test');
    expect(await link(ada, 'github', other.person)).toMatchObject({
      reason: 'has_own_player',
      owner: { games: 0 },
    });
    const challenger = await aPlayerAt(server, 'github');
    await startChallenge(challenger, (await challengeOf(challenger)).attempt.day, 1);
    expect(await link(ada, 'github', challenger.person)).toMatchObject({ reason: 'has_own_player' });
    const both = await aPlayerAt(server, 'github');
    await link(both, 'google', aPerson());
    expect(await link(ada, 'github', both.person)).toMatchObject({ reason: 'has_own_player' });
    await unlink(both, 'google');
    expect(await link(ada, 'github', both.person)).toMatchObject({ __typename: 'IdentityLinked' });
  });
});

describe('at the same time', () => {
  test('a first game of the other account that comes before the link keeps it', async () => {
    const { ada, other } = await twoAccounts();
    const { finish } = await aReadyWin(server, other);
    const code = await linkCode(ada, 'github', other.person);
    await locks.hold('SELECT FROM identities WHERE player_id = $1 FOR UPDATE', [other.user.id]);
    const linked = confirmLink(ada, code);
    await locks.untilWaiting(1);
    expect((await finish()).data?.finishGame).toMatchObject({ __typename: 'GameCounted' });
    await locks.release();
    expect((await linked).data?.confirmLink).toMatchObject({ reason: 'has_own_player' });
    expect(await statsOf(other)).toMatchObject({ wins: 1 });
  });

  test('a sign-in with the identity opens the account to which it is linked', async () => {
    const { ada, other } = await twoAccounts();
    const code = await linkCode(ada, 'github', other.person);
    const signIn = () => new Visitor(server).signIn({ provider: 'github', ...other.person });
    const [linked, again] = await locks.meet(OF_PLAYERS, other.user.id, () => confirmLink(ada, code), signIn);
    expect(linked.data?.confirmLink.__typename).toBe('IdentityLinked');
    expect(again.user.id).toBe(ada.user.id);
    expect(await rowsOf(server, other.user.id)).toBe(0);
    expect((await ada.fetch('/auth/refresh', { method: 'POST', headers: FROM_PAGE })).status).toBe(200);
  });

  test('a deletion of the other account frees its identity', async () => {
    const { ada, other } = await twoAccounts();
    await playGame(server, other, { result: 'win' });
    const code = await linkCode(ada, 'github', other.person);
    const ofSessions = 'SELECT FROM sessions WHERE player_id = $1 FOR UPDATE';
    const linking = () => confirmLink(ada, code);
    const [deleted, linked] = await locks.meet(ofSessions, other.user.id, () => deleteAccount(other), linking);
    expect(deleted.data).toEqual({ deleteAccount: true });
    expect(linked.data?.confirmLink).toMatchObject({ __typename: 'IdentityLinked' });
    expect(await rowsOf(server, other.user.id)).toBe(0);
    expect(await statsOf(ada)).toMatchObject({ score: 1 });
  });

  test('a deletion of the account that links leaves no row', async () => {
    const { ada, other } = await twoAccounts();
    const code = await linkCode(ada, 'github', other.person);
    const [linked, deleted] = await Promise.all([confirmLink(ada, code), deleteAccount(ada)]);
    expect(deleted.data).toEqual({ deleteAccount: true });
    expect(await rowsOf(server, ada.user.id)).toBe(0);
    const isLinked = linked.data?.confirmLink?.__typename === 'IdentityLinked';
    expect(await other.isSignedIn()).toBe(!isLinked);
  });

  test('two links of one identity give it to one account', async () => {
    const { ada, other } = await twoAccounts();
    const grace = await aPlayerAt(server, 'google');
    await playGame(server, grace, { result: 'win' });
    const codes = [await linkCode(ada, 'github', other.person), await linkCode(grace, 'github', other.person)];
    const answers = await Promise.all([confirmLink(ada, codes[0]!), confirmLink(grace, codes[1]!)]);
    // The other one has seen the unused player, or the player who has the identity now.
    const refused = answers.flatMap(({ data }) => data?.confirmLink.reason ?? []);
    expect(refused).toHaveLength(1);
    expect(['has_own_player', 'identity_changed']).toContain(refused[0]);
    const again = await new Visitor(server).signIn({ provider: 'github', ...other.person });
    expect([ada.user.id, grace.user.id]).toContain(again.user.id);
  });

  test('two unused accounts that link each other become one', async () => {
    const [ada, other] = [await aPlayerAt(server, 'google'), await aPlayerAt(server, 'github')];
    const codes = [await linkCode(ada, 'github', other.person), await linkCode(other, 'google', ada.person)];
    const answers = await Promise.all([confirmLink(ada, codes[0]!), confirmLink(other, codes[1]!)]);
    expect(answers.filter(({ data }) => data?.confirmLink.__typename === 'IdentityLinked')).toHaveLength(1);
    const there = (await ada.isSignedIn()) ? ada : other;
    expect((await providersOf(there)).toSorted()).toEqual(['github', 'google']);
  });

  test('two links of different identities leave one identity for each provider', async () => {
    const ada = await aPlayerAt(server, 'google');
    const codes = [await linkCode(ada, 'github', aPerson()), await linkCode(ada, 'github', aPerson())];
    const answers = await Promise.all(codes.map((code) => confirmLink(ada, code)));
    expect(answers.map(({ data }) => data?.confirmLink.reason ?? 'linked').toSorted()).toEqual([
      'linked',
      'provider_linked',
    ]);
    expect(await providersOf(ada)).toEqual(['google', 'github']);
  });
});
