import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY, playChallenge, stopAtNoon } from '../support/challenge.js';
import { aMadePlayer } from '../support/made.js';
import { playGame } from '../support/play.js';
import { aServer, query, removeData } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { codeOf, personalTokenOf, Visitor } from '../support/visitor.js';

const server = aServer();
beforeEach(() => removeData(server));

const anybody = () => new Visitor(server);
const because = ['--operator', 'Grace', '--reason', 'Offensive picture'];

async function ask<Data = Record<string, unknown>>(visitor: Visitor, text: string, variables = {}): Promise<Data> {
  const { data, errors } = await visitor.graphql<Data>(text, variables);
  if (errors || !data) throw new Error(JSON.stringify(errors));
  return data;
}
const playerOf = async (visitor: Visitor, id: string, fields = 'id') =>
  (await ask<{ player: object | null }>(visitor, `query ($id: ID!) { player(id: $id) { ${fields} } }`, { id })).player;

async function aPlayerWithAWin(name = 'Ada') {
  const player = await aMadePlayer(server, { name });
  const { game } = await playGame(server, player, { result: 'win' });
  return { player, id: player.user.id, gameId: game!.id };
}

const tokenOf = async (player: Visitor, scopes: string) =>
  Object.assign(anybody(), { accessToken: await personalTokenOf(player, scopes) });

test('a player needs no token, a wrong one is as good as none, and an id that leads nowhere gives null', async () => {
  const { id, gameId } = await aPlayerWithAWin();
  expect(await playerOf(Object.assign(anybody(), { accessToken: 'a.b.c' }), id)).toEqual({ id });
  for (const id of [randomUUID(), gameId, 'none', '', '%', '💥']) {
    expect([id, await playerOf(anybody(), id)]).toEqual([id, null]);
  }
});

describe('a hidden, banned or deleted player', () => {
  const seen = (id: string, gameId: string) =>
    ask(
      anybody(),
      `query ($id: ID!, $gameId: ID!) {
        player(id: $id) { id } game(playerId: $id, id: $gameId) { result } leaderboard { playerId }
      }`,
      { id, gameId },
    );

  test.each(['hide', 'ban'])('after %s is nobody to others, and the games stay', async (decision) => {
    const { player, id, gameId } = await aPlayerWithAWin();
    const game = { result: 'win' };
    expect(await seen(id, gameId)).toEqual({ player: { id }, game, leaderboard: [{ playerId: id }] });
    await ttt(server, 'player', decision, id, ...because);
    await server.moveClock(1_000);
    expect(await seen(id, gameId)).toEqual({ player: null, game, leaderboard: [] });
    if (decision === 'hide') expect(await playerOf(player, id)).toBeNull();
  });

  test('who has left is gone with all games', async () => {
    const { player, id, gameId } = await aPlayerWithAWin();
    await ask(player, 'mutation { deleteAccount }');
    expect(await seen(id, gameId)).toEqual({ player: null, game: null, leaderboard: [] });
  });
});

describe('the signed-in player', () => {
  test('has the email address for a browser and with the scope alone, and the rest with its scope, also in a fragment', async () => {
    const { player } = await aPlayerWithAWin();
    const { email, name } = player.user;
    const account = await tokenOf(player, 'account_read');
    for (const visitor of [player, account])
      expect(await ask(visitor, '{ me { name email } }')).toEqual({ me: { name, email } });
    const programs = {
      stats_read: [await tokenOf(player, 'stats_read'), await tokenOf(player, 'account_read, games_read, games_write')],
      games_read: [await tokenOf(player, 'games_read'), await tokenOf(player, 'account_read, games_write, stats_read')],
    } as const;
    expect(await ask(programs.stats_read[0], '{ me { name email } }')).toEqual({ me: { name, email: null } });
    for (const [field, scope] of [
      ['stats { wins }', 'stats_read'],
      ['standing { rank }', 'stats_read'],
      ['standing { neighbours { next { rank } } }', 'stats_read'],
      ['week { score }', 'stats_read'],
      ['achievements { hardDraws }', 'stats_read'],
      ['programGames', 'stats_read'],
      ['rivals { name }', 'stats_read'],
      ['games { edges { cursor } }', 'games_read'],
    ] as const) {
      const text = `{ me { ...Own } } fragment Own on Me { ... { ${field} } }`;
      const [one, others] = programs[scope];
      expect([field, codeOf(await one.graphql(text))]).toEqual([field, undefined]);
      const { errors } = await others.graphql(text);
      const message = expect.stringContaining(`the scope ${scope.replace('_', ':')}`);
      expect([field, errors]).toMatchObject([field, [{ message, extensions: { code: 'INSUFFICIENT_SCOPE' } }]]);
    }

    const page = '{ me { page { since games { edges { cursor } } } } }';
    for (const [program] of [programs.stats_read, programs.games_read])
      expect(codeOf(await program.graphql(page))).toBe('INSUFFICIENT_SCOPE');
    expect(codeOf(await (await tokenOf(player, 'stats_read, games_read')).graphql(page))).toBeUndefined();
  });

  test('alone sees the moves of a challenge game, until its day is over', async () => {
    const today = await stopAtNoon(server, Date.UTC(2027, 2, 3, 12));
    try {
      const player = await aMadePlayer(server);
      await playGame(server, player, { result: 'win' });
      await playChallenge(player, today, ['win', 'win']);
      type Games = { games: { edges: { node: { seed: unknown; moves: unknown } }[] } };
      const FIELDS = 'games { edges { node { seed moves { square } } } }';
      const shownIn = ({ games }: Games) => games.edges.map(({ node }) => [node.seed !== null, node.moves !== null]);
      const toAll = async () => shownIn((await playerOf(player, player.user.id, FIELDS)) as Games);
      const own = async () => shownIn((await ask<{ me: Games }>(player, `{ me { ${FIELDS} } }`)).me);
      const open = [false, true];
      const shown = [true, true];
      expect(await toAll()).toEqual([shown]);
      expect(await own()).toEqual([open, open, shown]);
      const PAGE = 'games(first: 1) { edges { cursor } pageInfo { hasNextPage } }';
      const page = { edges: [{ cursor: expect.any(String) }] };
      expect(await playerOf(player, player.user.id, PAGE)).toEqual({
        games: { ...page, pageInfo: { hasNextPage: false } },
      });
      // Another server, whose clock is behind, may still play this day.
      await server.moveClock(DAY / 2 + 30_000);
      expect(await toAll()).toEqual([shown]);
      await server.moveClock(30_000);
      expect(await toAll()).toEqual([shown, shown, shown]);
    } finally {
      await server.resetClock();
    }
  });
});

describe('the games of a player', () => {
  interface Page {
    edges: { cursor: string; node: { id: string } }[];
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  }
  const PAGE = `query ($id: ID!, $first: Int, $after: String) { player(id: $id) { games(first: $first, after: $after) {
    edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  } } }`;
  const page = async (id: string, variables: { first?: number; after?: string | null } = {}) =>
    (await ask<{ player: { games: Page } }>(anybody(), PAGE, { id, ...variables })).player.games;

  async function allIds(id: string, first: number): Promise<string[]> {
    const ids: string[] = [];
    let after: string | null = null;
    for (;;) {
      const { edges, pageInfo }: Page = await page(id, { first, after });
      expect(pageInfo).toEqual({
        hasNextPage: pageInfo.hasNextPage,
        hasPreviousPage: after !== null,
        startCursor: edges[0]?.cursor ?? null,
        endCursor: edges.at(-1)?.cursor ?? null,
      });
      ids.push(...edges.map(({ node }) => node.id));
      if (!pageInfo.hasNextPage) return ids;
      expect(edges).toHaveLength(first);
      after = pageInfo.endCursor;
    }
  }

  /** Games under an id, with times that differ by microseconds or not at all, over several months. */
  const addGames = (id: string, count: number, from: number) =>
    query(
      server,
      `INSERT INTO games (id, player_id, number, source, difficulty, result, bonus, points, finished_at)
       SELECT gen_random_uuid(), $1, $3 + n, 'reported', 'easy', 'draw', false, 0,
         timestamptz '2026-03-01 00:00:00+00' - (n / 5) * interval '9 days' - (n % 5 / 2) * interval '1 microsecond'
       FROM generate_series(1, $2::integer) AS n`,
      [id, count, from],
    );

  test('come in pages of any size, none twice and none left out, also at equal times; another limit or cursor is refused', async () => {
    const { id } = (await aMadePlayer(server)).user;
    await addGames(id, 35, 0);
    const all = await allIds(id, 50);
    expect(new Set(all).size).toBe(35);
    for (const first of [2, 7, 34, 35]) expect([first, await allIds(id, first)]).toEqual([first, all]);
    expect((await page(id)).edges).toHaveLength(20);

    for (const first of [0, -1, 51]) {
      const answer = await anybody().graphql(PAGE, { id, first });
      expect([first, codeOf(answer), answer.errors?.[0]?.message]).toEqual([
        first,
        'BAD_USER_INPUT',
        'first must be a whole number from 1 to 50.',
      ]);
    }
    for (const after of ['', 'x', Buffer.from('1.2.3').toString('base64url'), `${'9'.repeat(17)}.1`]) {
      expect([after, codeOf(await anybody().graphql(PAGE, { id, after }))]).toEqual([after, 'BAD_USER_INPUT']);
    }
    // One in the far future is before all games.
    const far = Buffer.from(`${'9'.repeat(16)}.999999999`).toString('base64url');
    expect((await page(id, { after: far })).edges).toHaveLength(20);
  });

  test('that come meanwhile, or go, do not move the next page', async () => {
    const { id } = (await aMadePlayer(server)).user;
    await addGames(id, 9, 0);
    const all = await allIds(id, 50);
    const { edges, pageInfo } = await page(id, { first: 4 });
    await query(server, 'DELETE FROM games WHERE player_id = $1 AND number = 4', [id]);
    await query(server, `UPDATE games SET finished_at = now() WHERE player_id = $1 AND number = 1`, [id]);
    const { edges: further } = await page(id, { after: pageInfo.endCursor });
    const known = edges.map(({ node }) => node.id);
    expect(further.map(({ node }) => node.id)).toEqual(all.filter((one) => !known.includes(one)));
  });
});

test('requests that arrive together get the stats of their own player, and none after sign-out', async () => {
  const players = await Promise.all(Array.from({ length: 12 }, () => aMadePlayer(server)));
  const signedOut = new Set(players.filter((_player, at) => at % 4 === 3));
  await Promise.all(
    players.map(async (player, at) => {
      for (let game = 0; game < at % 3; game++) await player.report();
      if (signedOut.has(player)) await player.signOut();
    }),
  );
  const wins = async (player: Visitor) => {
    const answer = await player.graphql<{ me: { stats: object } }>('{ me { stats { playerId wins } } }');
    return answer.data?.me.stats ?? codeOf(answer);
  };
  const many = [...players, ...players, ...players, ...players];
  expect(await Promise.all(many.map(wins))).toEqual(
    many.map((player) =>
      signedOut.has(player) ? 'UNAUTHENTICATED' : { playerId: player.user.id, wins: players.indexOf(player) % 3 },
    ),
  );
});
