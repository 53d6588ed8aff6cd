import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { activityOf } from '../support/citus.js';
import { rowsOf } from '../support/link.js';
import { slowGames } from '../support/load.js';
import { expectRefused, type Locks, locksOn } from '../support/locks.js';
import { aReadyWin, playGame } from '../support/play.js';
import { aServer, query } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor, personalTokenOf, Visitor } from '../support/visitor.js';

const server = aServer();
let locks: Locks;
beforeAll(async () => {
  locks = await locksOn(server);
});
afterAll(() => locks.close());

const anAddress = () => `${randomBytes(6).toString('hex')}@example.org`;
const deleteAccount = (player: Visitor) => player.graphql<{ deleteAccount: boolean }>('mutation { deleteAccount }');

type Rows = Record<string, unknown>[];
async function exported(player: Visitor): Promise<string> {
  const response = await player.api('/api/account/export');
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  return response.text();
}

describe('the export of an account', () => {
  test('holds nothing about another player, and no token, code or hash', async () => {
    const other = await aSignedInVisitor(server);
    await playGame(server, other, { result: 'win' });
    const player = await aSignedInVisitor(server);
    const refreshToken = (await player.sessionCookie()).split('=')[1]!;
    const text = await exported(player);
    for (const foreign of [other.user.id, other.user.email]) expect(text).not.toContain(foreign);
    for (const secret of [player.accessToken, refreshToken, refreshToken.split('.')[2]!]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/hash|code.?challenge|token(?!Name"|Scopes")|secret|eyJ|[\w-]{43}|[\da-f]{64}|"Buffer"/i);
  });
});

describe("a name of one's own", () => {
  type Answer = { chooseName: { me?: { name: string; nameFrom: string }; reason?: string } };
  const MUTATION = `mutation ($name: String) { chooseName(name: $name) {
    ... on NameChosen { me { name nameFrom } } ... on NameRefused { reason } } }`;
  const choose = async (player: Visitor, name?: string) =>
    (await player.graphql<Answer>(MUTATION, { name })).data!.chooseName;
  const because = ['--reason', 'A test'];

  test('holds everywhere at once, beyond sign-ins, until the player takes the provider’s name back', async () => {
    const email = anAddress();
    const player = await aSignedInVisitor(server, { name: 'Ada Byron', email });
    await playGame(server, player, { result: 'win' });
    const named = async () => {
      const board = (await (await fetch(`${server.origin}/api/leaderboard?limit=100`)).json()) as Rows;
      const { user } = (await (await player.refresh()).json()) as { user: { name: string } };
      const [row] = await query(server, 'SELECT provider_name FROM players WHERE email = $1', [email]);
      return [board.find(({ user_id }) => user_id === player.user.id)!.name, user.name, row!.provider_name as string];
    };
    await named();
    expect(await choose(player, '  Count\u200bess \n of L. ')).toEqual({
      me: { name: 'Countess of L.', nameFrom: 'player' },
    });
    expect(await named()).toEqual(['Countess of L.', 'Countess of L.', 'Ada Byron']);
    await aSignedInVisitor(server, { name: 'Ada Lovelace', email });
    expect(await named()).toEqual(['Countess of L.', 'Countess of L.', 'Ada Lovelace']);
    const names = { name: 'Countess of L.', providerName: 'Ada Lovelace' };
    expect(JSON.parse(await exported(player))).toMatchObject({ player: names });
    for (const text of ['countess of', 'a lovelace'])
      expect((await ttt(server, 'player', 'find', text)).said).toContain(player.user.id);
    expect((await ttt(server, 'player', 'show', player.user.id)).said).toMatch(/Ada Lovelace/);

    expect(await choose(player)).toEqual({ me: { name: 'Ada Lovelace', nameFrom: 'provider' } });
    expect(await named()).toEqual(['Ada Lovelace', 'Ada Lovelace', null]);
    const { said } = await ttt(server, 'audit', '--player', player.user.id);
    expect(said.match(/player\.[\w-]+/g)).toEqual(['player.undo-name', 'player.choose-name']);
    expect(said).not.toMatch(/Countess|Lovelace|Byron/);
    await choose(player, 'Countess');
    await deleteAccount(player);
    expect(await rowsOf(server, player.user.id)).toBe(0);
    expect((await ttt(server, 'player', 'find', 'Countess')).said).not.toContain(player.user.id);
  });

  test('is chosen three times a day at most, also by requests at the same time, and taken back always', async () => {
    const email = anAddress();
    const player = await aSignedInVisitor(server, { name: 'Grace', email });
    const answers = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => choose(player, name)));
    expect(answers.filter(({ me }) => me)).toHaveLength(3);
    expect(answers.filter(({ reason }) => reason === 'too_many_names')).toHaveLength(2);
    expect(await choose(player)).toMatchObject({ me: { name: 'Grace', nameFrom: 'provider' } });
    expect(await choose(player, 'F')).toEqual({ reason: 'too_many_names' });
    await server.moveClock(24 * 3_600_000);
    expect(await choose(await aSignedInVisitor(server, { name: 'Grace', email }), 'F')).toMatchObject({
      me: { name: 'F' },
    });
  });

  test('is refused where nothing is visible, where a moderator has set one, and to a program', async () => {
    const email = anAddress();
    const player = await aSignedInVisitor(server, { name: 'Grace', email });
    expect(await choose(player, ' \u200b ')).toEqual({ reason: 'name_not_visible' });
    expect(await choose(player, 'x'.repeat(60))).toMatchObject({ me: { name: 'x'.repeat(50) } });
    const accessToken = await personalTokenOf(player, 'games_read, games_write, stats_read, account_read');
    const program = Object.assign(new Visitor(server), { accessToken });
    const { errors } = await program.graphql(MUTATION, { name: 'Program' });
    expect(errors?.[0]?.extensions.code).toBe('TOKEN_NOT_ACCEPTED');
    await ttt(server, 'player', 'rename', player.user.id, 'Player One', ...because);
    for (const name of ['Grace H.', undefined]) expect(await choose(player, name)).toEqual({ reason: 'name_decided' });
    const nameOf = async (name: string) => (await aSignedInVisitor(server, { name, email })).user.name;
    expect(await nameOf('Grace')).toBe('Player One');
    await ttt(server, 'player', 'rename', player.user.id, '--restore', ...because);
    expect(await nameOf('Polite')).toBe('Polite');
    expect(await choose(player, 'Grace H.')).toEqual({ me: { name: 'Grace H.', nameFrom: 'player' } });
  });
});

describe('deleting an account', () => {
  test('many times at once deletes once and never fails', async () => {
    const player = await aSignedInVisitor(server);
    const answers = await Promise.all(Array.from({ length: 6 }, () => deleteAccount(player)));
    expect(answers.some(({ data }) => data?.deleteAccount)).toBe(true);
    for (const { data, errors } of answers) {
      if (!data?.deleteAccount) expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
    expect(await player.sessionCookie()).toBe('');
  });
});

/** A player with one counted game and another one ready to be sent. */
async function aPlayerAboutToFinish() {
  const player = await aSignedInVisitor(server);
  await playGame(server, player, { result: 'win' });
  return { player, finish: (await aReadyWin(server, player)).finish };
}

async function untilStoring(): Promise<void> {
  const sleeping = `SELECT FROM ${activityOf(server)} WHERE datname = current_database() AND wait_event = 'PgSleep'`;
  while ((await query(server, sleeping)).length === 0) await new Promise((wake) => setTimeout(wake, 20));
}

describe('a game that is finished while the account is deleted', () => {
  test('is counted if it came first, and is deleted with the account', async () => {
    const { player, finish } = await aPlayerAboutToFinish();
    // It holds its locks meanwhile. A lock in its way would make it give up and start again.
    const endSlowGames = await slowGames(server, 1);
    const finished = finish();
    await untilStoring();
    const deleted = deleteAccount(player);
    await Promise.all([finished, deleted]);
    await endSlowGames();
    expect((await finished).data?.finishGame).toMatchObject({ __typename: 'GameCounted', stats: { wins: 2 } });
    expect((await deleted).data).toEqual({ deleteAccount: true });
    expect(await rowsOf(server, player.user.id)).toBe(0);
  });

  test('is refused as signed out if the deletion came first', async () => {
    const { player, finish } = await aPlayerAboutToFinish();
    const ofSessions = 'SELECT FROM sessions WHERE player_id = $1 FOR UPDATE';
    const [deleted, finished] = await locks.meet(ofSessions, player.user.id, () => deleteAccount(player), finish);
    expect(deleted.data).toEqual({ deleteAccount: true });
    await expectRefused(finished, finish);
    expect(await rowsOf(server, player.user.id)).toBe(0);
  });
});
