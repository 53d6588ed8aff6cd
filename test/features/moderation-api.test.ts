import { beforeEach, describe, expect, test } from '@jest/globals';
import { aPlayer } from '../builders/player.js';
import { aPerson, link } from '../support/link.js';
import {
  aPlayerWith,
  decide,
  decided,
  namesOnBoard,
  type SignedIn,
  signInEndsWith,
  sumsOf,
} from '../support/moderation.js';
import { aMadePlayer } from '../support/made.js';
import { eventually } from '../support/page.js';
import { ADA, aServer, GRACE, query, removeData } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor, dataOf } from '../support/visitor.js';

const server = aServer();
let moderator: SignedIn;
let other: SignedIn;
beforeEach(async () => {
  await server.resetClock();
  await removeData(server);
  [moderator, other] = [await aMadePlayer(server, ADA), await aMadePlayer(server, GRACE)];
});

interface Page {
  edges: { cursor: string; node: { name: string; id: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string | null };
}
const PAGE = `query ($search: String, $list: PlayerList! = all, $orderBy: PlayerOrder! = date, $first: Int! = 20, $after: String) {
  moderatedPlayers(search: $search, list: $list, orderBy: $orderBy, first: $first, after: $after) {
    edges { cursor node { id name score totalGames rate isModerator bannedUntil } }
    pageInfo { hasNextPage hasPreviousPage endCursor }
  }
}`;
const page = async (wanted: object = {}) =>
  dataOf(await moderator.graphql<{ moderatedPlayers: Page }>(PAGE, wanted)).moderatedPlayers;
const names = async (wanted: object = {}) => (await page(wanted)).edges.map(({ node }) => node.name);

async function audit(playerId: string) {
  const { data } = await moderator.graphql<{ audit: { edges: { node: Record<string, string | null> }[] } }>(
    'query ($id: ID) { audit(playerId: $id) { edges { node { operator action target } } } }',
    { id: playerId },
  );
  return data!.audit.edges.map(({ node }) => node);
}

describe('decisions', () => {
  test('the name of the moderator in the audit is that of the decision, with an id that nobody can imitate', async () => {
    const bob = await aPlayerWith(server, 'Bob');
    const imitator = `Ada (${bob.user.id})`.slice(0, 50);
    await ttt(server, 'player', 'rename', moderator.user.id, imitator, '--reason', 'A test');
    await decided(moderator, 'hidePlayer', bob.user.id);
    expect((await audit(bob.user.id))[0]!.operator).toBe(`moderator ${imitator} (${moderator.user.id})`);
  });

  test('about a game take it out of the sums, and bring exactly the sums of before back', async () => {
    // The third win has the bonus. Without the first one, the fourth has it.
    const player = await aPlayerWith(server, 'Mallory', 'win', 'win', 'win', 'draw', 'win', 'win', 'lose');
    await aPlayerWith(server, 'Bob', 'win');
    const before = await sumsOf(server);
    for (const at of [0, 2, 3, 6]) {
      const game = player.games[at]!;
      expect(await decided(moderator, 'voidGame', game)).toMatchObject({ changed: true });
      expect(await sumsOf(server)).not.toEqual(before);
      expect(await ttt(server, 'stats', 'rebuild')).toMatchObject({ code: 0 });
      expect(await decided(moderator, 'unvoidGame', game)).toMatchObject({ changed: true });
      expect(await sumsOf(server)).toEqual(before);
    }
    // Several at once, and back in another order.
    const some = [player.games[4]!, player.games[0]!, player.games[2]!];
    for (const game of some) await decided(moderator, 'voidGame', game);
    expect(await ttt(server, 'stats', 'rebuild')).toMatchObject({ code: 0 });
    expect((await audit(player.user.id)).map(({ action }) => action).slice(0, 3)).toEqual(some.map(() => 'game.void'));
    for (const game of [...some].sort()) await decided(other, 'unvoidGame', game);
    expect(await sumsOf(server)).toEqual(before);
    // The number of the last one is taken when it comes back.
    const inOrder = [0, 1, 4].map((at) => player.games[at]!);
    for (const game of inOrder) await decided(moderator, 'voidGame', game);
    for (const game of inOrder) await decided(moderator, 'unvoidGame', game);
    expect(await sumsOf(server)).toEqual(before);
    expect(await ttt(server, 'stats', 'rebuild')).toEqual({ code: 0, said: '8 games of 2 players: 0 differences\n' });
    expect(await query(server, 'SELECT 1 FROM voided_games')).toEqual([]);
    expect(await namesOnBoard(server)).toEqual(['Mallory', 'Bob']);

    expect(await decided(moderator, 'unvoidGame', some[0]!)).toMatchObject({ reason: 'game_unknown' });
    await decided(moderator, 'voidGame', some[0]!);
    expect(await decided(moderator, 'voidGame', some[0]!)).toMatchObject({ reason: 'game_unknown' });
    expect((await audit(player.user.id))[0]).toMatchObject({ action: 'game.void', target: some[0]!.split(' ')[1] });
    const report = `query ($id: ID!) { playerReport(id: $id) {
      voidedGames { id result moves { square } } games(first: 1) { edges { node { result moves { square } } } pageInfo { hasNextPage } }
    } }`;
    expect((await moderator.graphql(report, { id: player.user.id })).data).toEqual({
      playerReport: {
        voidedGames: [{ id: some[0]!.split(' ')[1], result: 'win', moves: null }],
        games: {
          edges: [{ node: { result: 'lose', moves: expect.any(Array) } }],
          pageInfo: { hasNextPage: true },
        },
      },
    });
  });

  test('of two moderators at the same time leave one result, and an entry for each change', async () => {
    const player = await aPlayerWith(server, 'Mallory', 'win', 'win', 'win', 'draw');
    const before = await sumsOf(server);
    const game = player.games[1]!;
    for (const name of ['voidGame', 'unvoidGame'] as const) {
      const both = await Promise.all([moderator, other, moderator, other].map((who) => decided(who, name, game)));
      expect(both.map(({ changed, reason }) => String(changed ?? reason)).toSorted()).toEqual([
        'game_unknown',
        'game_unknown',
        'game_unknown',
        'true',
      ]);
    }
    expect(await sumsOf(server)).toEqual(before);
    const bans = await Promise.all([moderator, other].map((who) => decided(who, 'banPlayer', player.user.id)));
    expect(bans.filter(({ changed }) => changed)).toHaveLength(1);
    const actions = await query<{ action: string }>(server, 'SELECT action FROM audit ORDER BY id');
    expect(actions.map(({ action }) => action)).toEqual(['game.void', 'game.unvoid', 'player.ban']);
    expect(await ttt(server, 'stats', 'rebuild')).toMatchObject({ code: 0 });
  });
});

describe('a ban with an end', () => {
  const until = (ms: number) => new Date(Date.now() + ms).toISOString();
  const DAY = 24 * 60 * 60_000;

  test('ends by itself, with an entry of the server, also when the account is deleted', async () => {
    const [kept, deleted, longer] = [
      await aPlayerWith(server, 'Kept', 'win'),
      await aPlayerWith(server, 'Deleted', 'win'),
      await aPlayerWith(server, 'Longer', 'win'),
    ];
    const end = until(2 * DAY);
    for (const { user } of [kept, deleted, longer]) {
      expect(await decided(moderator, 'banPlayer', user.id, { until: end })).toMatchObject({
        said: expect.stringContaining(` is banned until ${end.slice(0, 16).replace('T', ' ')} UTC and signed out of `),
        player: { bannedUntil: end },
      });
    }
    await ttt(server, 'player', 'delete', deleted.user.id, '--reason', 'Asked for it');
    expect(await decided(moderator, 'banPlayer', longer.user.id, { until: until(9 * DAY) })).toMatchObject({
      changed: true,
    });
    await server.moveClock(DAY);
    expect(await signInEndsWith(server, { name: 'Kept' })).toBe('account_banned');
    expect(await namesOnBoard(server)).toEqual([]);

    await server.moveClock(DAY + 60_000);
    await server.restart();
    await eventually(() => signInEndsWith(server, { name: 'Kept' }), 'a code');
    expect(await namesOnBoard(server)).toEqual(['Kept']);
    await eventually(() => signInEndsWith(server, { name: 'Deleted' }), 'a code');
    expect(await signInEndsWith(server, { name: 'Longer' })).toBe('account_banned');
    const entries = await query(server, `SELECT operator, reason, player_id FROM audit WHERE action = 'player.unban'`);
    expect(entries.map(({ player_id }) => player_id as string).toSorted()).toEqual(
      [kept, deleted].map(({ user }) => user.id).toSorted(),
    );
    for (const entry of entries) expect(entry).toMatchObject({ operator: 'server', reason: 'the ban has ended' });
  });

  test('is within ten years, changes its end with a second ban, also of a deleted account, and writes only what changes', async () => {
    const player = await aPlayerWith(server, 'Mallory');
    const [soon, later] = [until(DAY), until(3 * DAY)];
    for (const end of [until(-1_000), until(11 * 365 * DAY), 'tomorrow', '2027-13-01', '']) {
      const { errors } = await decide(moderator, 'banPlayer', player.user.id, { until: end });
      const message = 'until must be a time in the future, and within 10 years.';
      expect([end, errors]).toMatchObject([end, [{ message, extensions: { code: 'BAD_USER_INPUT' } }]]);
    }
    expect(await player.isSignedIn()).toBe(true);
    const ban = (end?: string) => decided(moderator, 'banPlayer', player.user.id, { until: end });
    await ban(soon);
    // A write would set this end right.
    await query(server, 'UPDATE bans SET until = $1', [later]);
    expect(await ban(soon)).toMatchObject({ changed: false });
    expect(await query(server, 'SELECT until FROM bans')).toEqual([{ until: new Date(later) }]);
    expect(await ban(later)).toMatchObject({ player: { bannedUntil: later } });
    expect(await ban()).toMatchObject({
      said: 'Mallory is banned without an end now.',
      player: { bannedUntil: null },
    });
    expect(await query(server, 'SELECT until FROM bans')).toEqual([{ until: null }]);

    await ttt(server, 'player', 'delete', player.user.id, '--reason', 'Asked for it');
    const deleted = 'The player of the deleted account is banned';
    const text = (end: string) => `until ${end.slice(0, 16).replace('T', ' ')} UTC`;
    expect(await ban(soon)).toMatchObject({ changed: true, said: `${deleted} ${text(soon)} now.` });
    expect(await ban(soon)).toMatchObject({ changed: false, said: `${deleted} ${text(soon)} already.` });
    expect(await ban()).toMatchObject({ changed: true, said: `${deleted} without an end now.` });
    expect(await ban()).toMatchObject({ changed: false, said: `${deleted} already.` });
    expect(
      await query(server, `SELECT before, after FROM audit WHERE action = 'player.ban' ORDER BY id`),
    ).toMatchObject([
      { before: { banned: false }, after: { banned: true, until: soon } },
      { before: { banned: true, until: soon }, after: { banned: true, until: later } },
      { before: { banned: true, until: later }, after: { banned: true } },
      { before: { banned: true }, after: { banned: true, until: soon } },
      { before: { banned: true, until: soon }, after: { banned: true } },
    ]);
  });
});

describe('the list of players', () => {
  test('goes by name, score, rate or date, in pages that skip and repeat nobody', async () => {
    const run = (sql: string, values?: unknown[]) => query(server, sql, values);
    for (const [at, name] of ['delta', 'Alpha', 'charlie', 'Bravo', 'bravo'].entries()) {
      const { id } = await aPlayer(run, { name, at: new Date(Date.now() - (9 - at) * 86_400_000) });
      await query(
        server,
        `INSERT INTO player_stats (player_id, score, wins, easy_wins, losses, reached_at) VALUES ($1, $2, $2, $2, $3, now())`,
        [id, [30, 10, 30, 40, 0][at], [10, 50, 0, 20, 0][at]],
      );
    }
    const pages = async (orderBy: string) => {
      const found: string[] = [];
      for (let after: string | null = null; ;) {
        const { edges, pageInfo } = await page({ orderBy, first: 2, after });
        expect(pageInfo.hasPreviousPage).toBe(after !== null);
        found.push(...edges.map(({ node }) => node.name));
        if (!pageInfo.hasNextPage) return found;
        after = pageInfo.endCursor;
      }
    };
    expect((await pages('name')).map((name) => name.toLowerCase())).toEqual([
      ...['ada', 'alpha', 'bravo', 'bravo', 'charlie', 'delta', 'grace'],
    ]);
    const byScore = await pages('score');
    expect([byScore[0], byScore.slice(1, 3).toSorted(), byScore[3]]).toEqual(['Bravo', ['charlie', 'delta'], 'Alpha']);
    expect(byScore).toHaveLength(4);
    expect(await pages('rate')).toEqual(['charlie', 'delta', 'Bravo', 'Alpha']);
    expect(await pages('date')).toEqual(['Grace', 'Ada', 'bravo', 'Bravo', 'charlie', 'Alpha', 'delta']);
  });

  test('searches by a part of the name, the address and the id, shows no address, and refuses a wrong size, search or cursor', async () => {
    const player = await aPlayerWith(server, 'Mallory');
    for (const search of ['ALLO', 'mallory@example.org', player.user.id, ` ${player.user.id.toUpperCase()} `]) {
      expect(await names({ search })).toEqual(['Mallory']);
    }
    await aSignedInVisitor(server, { name: 'Zoë  Ångström', email: 'zoe@example.org' });
    for (const search of [' ZOË', 'ë  å'.normalize('NFD'), 'ångström\u200b']) {
      expect(await names({ search })).toEqual(['Zoë Ångström']);
    }
    expect(await names({ search: 'nobody' })).toEqual([]);
    expect(await names({ search: '%' })).toEqual([]);
    expect(await names({ search: '' })).toHaveLength(4);
    const all = await moderator.graphql(`{ __type(name: "ModeratedPlayer") { fields { name } } }`);
    expect(JSON.stringify(all.data)).not.toContain('email');

    const CURSOR = 'after must be the cursor of a player in this list.';
    const cursor = (...place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url');
    const { id } = player.user;
    for (const [wanted, message] of [
      [{ first: 0 }, 'first must be a whole number from 1 to 100.'],
      [{ first: 101 }, 'first must be a whole number from 1 to 100.'],
      [{ search: 'x'.repeat(101) }, 'search must have at most 100 characters.'],
      [{ search: 'a\u0000b' }, 'search must have no control characters.'],
      [{ orderBy: 'score', after: 'x' }, CURSOR],
      [{ orderBy: 'score', after: cursor(1) }, CURSOR],
      [{ orderBy: 'score', after: cursor('x', 'y') }, CURSOR],
      [{ orderBy: 'score', after: cursor(1e300, id) }, CURSOR],
      [{ orderBy: 'name', after: cursor('a\u0000', id) }, CURSOR],
      [{ orderBy: 'date', after: cursor(null, id) }, CURSOR],
    ] as const) {
      const { errors } = await moderator.graphql(PAGE, wanted);
      expect([wanted, errors]).toMatchObject([wanted, [{ message, extensions: { code: 'BAD_USER_INPUT' } }]]);
    }
  });
});

test('a report has identities and sessions', async () => {
  const player = await aPlayerWith(server, 'First', 'win');
  await link(player, 'github', aPerson());
  const text = `query ($id: ID!) { playerReport(id: $id) {
    player { name totalGames lastGameAt isModerator } identities { provider } liveSessions liveTokens voidedGames { id }
  } }`;
  expect((await moderator.graphql(text, { id: player.user.id.toUpperCase() })).data).toEqual({
    playerReport: {
      player: { name: 'First', totalGames: 1, lastGameAt: expect.any(String), isModerator: false },
      identities: [{ provider: 'google' }, { provider: 'github' }],
      ...{ liveSessions: 1, liveTokens: 0, voidedGames: [] },
    },
  });
});
