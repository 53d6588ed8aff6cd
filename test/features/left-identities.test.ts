import { beforeEach, describe, expect, test } from '@jest/globals';
import { aPlayerAt, aPerson, link, type Person, unlink } from '../support/link.js';
import { namesOnBoard, signInEndsWith } from '../support/moderation.js';
import { playGame } from '../support/play.js';
import { aServer, logged, removeData } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { Visitor } from '../support/visitor.js';

const server = aServer();
beforeEach(() => removeData(server));

const BECAUSE = ['--operator', 'Grace', '--reason', 'Rude'];
const decide = (decision: string, playerId: string, ...words: string[]) =>
  ttt(server, 'player', decision, playerId, ...words, ...BECAUSE);

const signIn = (person: Person) => new Visitor(server).signIn({ provider: 'google', ...person });
const deleteAccount = (player: Visitor) => player.graphql('mutation { deleteAccount }');
async function leaveByUnlinking(player: Visitor): Promise<void> {
  await link(player, 'github', aPerson());
  expect((await unlink(player, 'google')).errors).toBeUndefined();
}

describe.each([
  ['a deletion', deleteAccount],
  ['an unlinking', leaveByUnlinking],
])('after %s', (_how, leave) => {
  test('a hidden player is off the boards, until an operator decides otherwise', async () => {
    const player = await aPlayerAt(server, 'google');
    await decide('hide', player.user.id);
    await leave(player);

    const again = await signIn(player.person);
    expect(again.user.id).not.toBe(player.user.id);
    await playGame(server, again, { result: 'win' });
    expect(await namesOnBoard(server)).toEqual([]);
    expect((await again.graphql('{ me { standing { rank } } }')).data).toEqual({ me: { standing: null } });
    await logged(server, '"event":"decision_followed"');

    expect(await decide('unhide', again.user.id)).toMatchObject({ code: 0 });
    expect(await namesOnBoard(server)).toEqual([player.person.name]);
  });

  test('a renamed player keeps the name, and no other account can link the identity', async () => {
    const player = await aPlayerAt(server, 'google');
    await decide('rename', player.user.id, 'Player One');
    await leave(player);
    const other = await aPlayerAt(server, 'github');
    expect(await link(other, 'google', player.person)).toMatchObject({ reason: 'account_not_linkable' });
    for (let time = 0; time < 2; time++) {
      const again = await signIn(player.person);
      expect(again.user.name).toBe('Player One');
      await deleteAccount(again);
    }
  });

  test('a later ban reaches the identity', async () => {
    const player = await aPlayerAt(server, 'google');
    await leave(player);
    expect(await decide('ban', player.user.id)).toMatchObject({ code: 0 });
    expect(await signInEndsWith(server, player.person)).toBe('account_banned');
    expect(await decide('unban', player.user.id)).toMatchObject({ code: 0 });
    expect(await signInEndsWith(server, player.person)).toBe('a code');
  });
});

test('a decision about a deleted account can end', async () => {
  const player = await aPlayerAt(server, 'google');
  await decide('hide', player.user.id);
  await decide('rename', player.user.id, 'Player One');
  await deleteAccount(player);
  expect(await decide('unhide', player.user.id)).toMatchObject({ code: 0 });
  expect(await decide('rename', player.user.id, '--restore')).toMatchObject({ code: 0 });
  expect(await decide('unhide', player.user.id)).toMatchObject({ code: 1 });
  const again = await signIn(player.person);
  await playGame(server, again, { result: 'win' });
  expect(await namesOnBoard(server)).toEqual([player.person.name]);
});

test('a ban reaches every identity of a person who deletes accounts again and again', async () => {
  const first = await aPlayerAt(server, 'google');
  const github = aPerson();
  await link(first, 'github', github);
  await deleteAccount(first);
  const second = await signIn(first.person);
  const answer = await decide('ban', first.user.id);
  expect(answer).toMatchObject({
    code: 0,
    said: expect.stringContaining(`the player ${second.user.id}: ban that player too`),
  });
  expect(await signInEndsWith(server, { provider: 'github', ...github })).toBe('account_banned');
  await deleteAccount(second);
  expect(await decide('ban', second.user.id)).toMatchObject({ code: 0 });
  expect(await signInEndsWith(server, first.person)).toBe('account_banned');
  expect(await decide('ban', first.user.id)).toMatchObject({ code: 0 });
});

test('a ban reaches the identities that an unused account has left, whose other identity was linked', async () => {
  const owner = await aPlayerAt(server, 'google');
  const other = await aPlayerAt(server, 'google');
  const github = aPerson();
  await link(other, 'github', github);
  await unlink(other, 'google');
  expect(await link(owner, 'github', github)).toMatchObject({ __typename: 'IdentityLinked' });
  expect(await decide('ban', owner.user.id)).toMatchObject({ code: 0 });
  expect(await signInEndsWith(server, other.person)).toBe('account_banned');
});
