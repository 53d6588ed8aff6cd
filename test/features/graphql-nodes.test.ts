import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from 'graphql';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { weekOf } from '../../game/week.js';
import { aPlayerAt, link } from '../support/link.js';
import { DAY, playChallenge, stopAtNoon } from '../support/challenge.js';
import { playGame } from '../support/play.js';
import { query, removeData, type Server, sharedServer } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor, type GraphQLAnswer, Visitor } from '../support/visitor.js';

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.remove());
beforeEach(() => removeData(server));

const anybody = () => new Visitor(server);
const because = ['--operator', 'Grace', '--reason', 'Offensive picture'];

async function ask<Data = Record<string, unknown>>(visitor: Visitor, text: string, variables = {}): Promise<Data> {
  const { data, errors } = await visitor.graphql<Data>(text, variables);
  if (errors || !data) throw new Error(JSON.stringify(errors));
  return data;
}
const nodeOf = async (visitor: Visitor, id: string, fields = '__typename id') =>
  (await ask<{ node: object | null }>(visitor, `query ($id: ID!) { node(id: $id) { ${fields} } }`, { id })).node;
const playerOf = async (visitor: Visitor, id: string, fields = 'id') =>
  (await ask<{ player: object | null }>(visitor, `query ($id: ID!) { player(id: $id) { ${fields} } }`, { id })).player;
const codeOf = ({ errors }: GraphQLAnswer<object>) => errors?.[0]?.extensions.code;

async function aPlayerWithAWin(name = 'Ada') {
  const player = await aSignedInVisitor(server, { name });
  const { game } = await playGame(server, player, { result: 'win' });
  return { player, id: player.user.id, gameId: game!.id };
}

async function tokenOf(player: Visitor, scope: string): Promise<Visitor> {
  const { createToken } = await ask<{ createToken: { secret: string } }>(
    player,
    `mutation { createToken(name: "Bot", scopes: [${scope}]) { secret } }`,
  );
  return Object.assign(anybody(), { accessToken: createToken.secret });
}

describe('a node', () => {
  test('is found again by its id, as a player or a game, with the fields of a fragment', async () => {
    const { id, gameId } = await aPlayerWithAWin();
    const fragment = `... on Player { name stats { wins } standing { rank exact } } ... on Game { result player { id name } }`;
    expect(await nodeOf(anybody(), id, `__typename id ${fragment}`)).toEqual({
      __typename: 'Player',
      id,
      name: 'Ada',
      stats: { wins: 1 },
      standing: { rank: 1, exact: true },
    });
    const game = { __typename: 'Game', id: gameId, result: 'win', player: { id, name: 'Ada' } };
    expect(await nodeOf(anybody(), gameId, `__typename id ${fragment}`)).toEqual(game);
    expect(await nodeOf(anybody(), id.toUpperCase())).toEqual({ __typename: 'Player', id });
  });

  test('is null for an id that leads nowhere', async () => {
    const { gameId } = await aPlayerWithAWin();
    const unknownGame = Buffer.from(Array.from({ length: 32 }, (_none, at) => at)).toString('base64url');
    for (const id of [randomUUID(), unknownGame, `${gameId}x`, 'none', '', '%', 'all:1', '💥']) {
      expect([id, await nodeOf(anybody(), id), await playerOf(anybody(), id)]).toEqual([id, null, null]);
    }
  });

  test('needs no token, and a wrong one is as good as none', async () => {
    const { id } = await aPlayerWithAWin();
    const wrong = Object.assign(anybody(), { accessToken: 'a.b.c' });
    expect(await nodeOf(wrong, id, 'id ... on Player { email }')).toEqual({ id, email: null });
  });

  test('pages the games of a player from a refetched fragment', async () => {
    const { id, gameId } = await aPlayerWithAWin();
    const games = `... on Player { games(first: 1) { edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }`;
    const node = (await nodeOf(anybody(), id, games)) as { games: { edges: { cursor: string }[] } };
    const { cursor } = node.games.edges[0]!;
    expect(node.games).toEqual({
      edges: [{ cursor, node: { id: gameId } }],
      pageInfo: { hasNextPage: false, endCursor: cursor },
    });
  });
});

describe('a hidden, banned or deleted player', () => {
  const PLAYED = `game(id: $gameId) { result player { id } } leaderboard { name player { id } }`;
  const seen = (id: string, gameId: string) =>
    ask(anybody(), `query ($id: ID!, $gameId: ID!) { node(id: $id) { id } player(id: $id) { id } ${PLAYED} }`, {
      id,
      gameId,
    });

  test.each(['hide', 'ban'])('after %s is nobody to others, and the games stay', async (decision) => {
    const { id, gameId } = await aPlayerWithAWin();
    expect(await seen(id, gameId)).toMatchObject({ node: { id }, player: { id }, game: { player: { id } } });
    await ttt(server, 'player', decision, id, ...because);
    await server.moveClock(1_000);
    expect(await seen(id, gameId)).toEqual({
      node: null,
      player: null,
      game: { result: 'win', player: null },
      leaderboard: [],
    });
  });

  test('who is hidden sees the own stats and games, and no standing', async () => {
    const { player, id, gameId } = await aPlayerWithAWin();
    await ttt(server, 'player', 'hide', id, ...because);
    const own = '{ me { stats { wins } standing { rank } games { edges { node { id } } } } }';
    const games = { edges: [{ node: { id: gameId } }] };
    expect(await ask(player, own)).toEqual({ me: { stats: { wins: 1 }, standing: null, games } });
    const [stats, account] = [await tokenOf(player, 'account_read, stats_read'), await tokenOf(player, 'account_read')];
    expect(await ask(stats, '{ me { stats { wins } } }')).toEqual({ me: { stats: { wins: 1 } } });
    expect(await ask(account, '{ me { stats { wins } } }')).toEqual({ me: { stats: null } });
  });

  test('who has left is gone with all games', async () => {
    const { player, id, gameId } = await aPlayerWithAWin();
    await ask(player, 'mutation { deleteAccount }');
    expect(await seen(id, gameId)).toEqual({ node: null, player: null, game: null, leaderboard: [] });
  });
});

/** How many games two clients see who follow pages of one game to the end. */
async function pagesOf(id: string): Promise<number> {
  let seen = 0;
  const text = `query ($id: ID!, $after: String) { player(id: $id) {
    games(first: 1, after: $after) { edges { cursor } pageInfo { hasNextPage endCursor } } } }`;
  let after: string | null = null;
  for (let pages = 0, more = true; more; pages++) {
    if (pages > 20) throw new Error('The pages do not end');
    interface Page {
      player: { games: { edges: object[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } };
    }
    const page: Page = await ask<Page>(anybody(), text, { id, after });
    const { edges, pageInfo } = page.player.games;
    seen += edges.length;
    [more, after] = [pageInfo.hasNextPage, pageInfo.endCursor];
  }
  return seen;
}

describe('what is private of a player', () => {
  const PRIVATE = 'name email provider';

  test('is for the player alone, wherever the player appears', async () => {
    const { player, id, gameId } = await aPlayerWithAWin();
    const other = await aSignedInVisitor(server, { name: 'Other' });
    const everywhere = `query ($id: ID!, $gameId: ID!) {
      player(id: $id) { ${PRIVATE} }
      node(id: $id) { ... on Player { ${PRIVATE} } }
      game(id: $gameId) { player { ${PRIVATE} } }
      leaderboard { player { ${PRIVATE} } }
    }`;
    const answers = (seen: object) => ({
      player: seen,
      node: seen,
      game: { player: seen },
      leaderboard: [{ player: seen }],
    });
    const { email, provider } = player.user;
    const nothing = answers({ name: 'Ada', email: null, provider: '' });
    for (const visitor of [anybody(), other, await tokenOf(player, 'stats_read')]) {
      expect(await ask(visitor, everywhere, { id, gameId })).toEqual(nothing);
    }
    const own = answers({ name: 'Ada', email, provider });
    for (const visitor of [player, await tokenOf(player, 'account_read')]) {
      expect(await ask(visitor, everywhere, { id, gameId })).toEqual(own);
    }
    await player.signOut();
    expect(await ask(player, everywhere, { id, gameId })).toEqual(nothing);
  });

  test('is in no leaderboard that the server keeps for the next reader', async () => {
    const { player } = await aPlayerWithAWin();
    const board = `{ leaderboard { player { ${PRIVATE} stats { wins } } } }`;
    const { email, provider } = player.user;
    expect(await ask(player, board)).toMatchObject({ leaderboard: [{ player: { email, provider } }] });
    expect(await ask(anybody(), board)).toMatchObject({ leaderboard: [{ player: { email: null, provider: '' } }] });
  });

  test('are the moves of a challenge game, until its day is over', async () => {
    const today = await stopAtNoon(server, Date.UTC(2027, 2, 3, 12));
    try {
      const player = await aSignedInVisitor(server);
      await playGame(server, player, { result: 'win' });
      await playChallenge(player, today, ['win', 'win']);
      const moves = async (visitor: Visitor) => {
        const text = 'query ($id: ID!) { player(id: $id) { games { edges { node { seed moves { square } } } } } }';
        const { id } = player.user;
        const answer = await ask<{ player: { games: { edges: { node: { seed: unknown; moves: unknown } }[] } } }>(
          visitor,
          text,
          { id },
        );
        return answer.player.games.edges.map(({ node }) => [node.seed !== null, node.moves !== null]);
      };
      const open = [false, true];
      const shown = [true, true];
      expect(await moves(anybody())).toEqual([shown]);
      expect(await moves(player)).toEqual([open, open, shown]);
      expect(await moves(await tokenOf(player, 'stats_read'))).toEqual([shown]);
      // Pages without a shown game lead to the next one.
      const older = await pagesOf(player.user.id);
      expect(older).toBe(1);
      await server.moveClock(DAY);
      expect(await moves(anybody())).toEqual([shown, shown, shown]);
    } finally {
      await server.resetClock();
    }
  });
});

describe('the games of a player', () => {
  interface Page {
    edges: { cursor: string; node: { id: string; player: { id: string } | null } }[];
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
  }
  const PAGE = `query ($id: ID!, $first: Int, $after: String) { player(id: $id) { games(first: $first, after: $after) {
    edges { cursor node { id player { id } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
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

  test('come in pages of any size, none twice and none left out, also at equal times and after a merge', async () => {
    const { id } = (await aSignedInVisitor(server)).user;
    const merged = randomUUID();
    await addGames(id, 23, 0);
    await addGames(merged, 12, 0);
    await query(server, 'INSERT INTO merged_players VALUES ($1, $2, 12, now())', [id, merged]);
    const all = await allIds(id, 50);
    expect(new Set(all).size).toBe(35);
    for (const first of [1, 2, 7, 34, 35]) expect([first, await allIds(id, first)]).toEqual([first, all]);
    const { edges } = await page(id);
    expect(edges).toHaveLength(20);
    expect(new Set(edges.map(({ node }) => node.player?.id))).toEqual(new Set([id]));
  });

  test('that come meanwhile, or go, do not move the next page', async () => {
    const { id } = (await aSignedInVisitor(server)).user;
    await addGames(id, 9, 0);
    const all = await allIds(id, 50);
    const { edges, pageInfo } = await page(id, { first: 4 });
    await query(server, 'DELETE FROM games WHERE player_id = $1 AND number = 4', [id]);
    await query(server, `UPDATE games SET finished_at = now() WHERE player_id = $1 AND number = 1`, [id]);
    const { edges: further } = await page(id, { after: pageInfo.endCursor });
    const known = edges.map(({ node }) => node.id);
    expect(further.map(({ node }) => node.id)).toEqual(all.filter((one) => !known.includes(one)));
  });

  test('are those of `myGames`, also of a merged account, whose player is gone', async () => {
    const player = await aPlayerAt(server, 'google');
    const other = await aPlayerAt(server, 'github');
    const games = [
      await playGame(server, other, { result: 'win' }),
      await playGame(server, player, { result: 'lose' }),
    ];
    await link(player, 'github', other.person);
    const own = await ask<{ me: { games: Page }; myGames: { id: string }[] }>(
      player,
      '{ me { games { edges { node { id } } } } myGames { id } }',
    );
    expect(own.me.games.edges.map(({ node }) => node.id)).toEqual(own.myGames.map(({ id }) => id));
    expect(own.myGames.map(({ id }) => id)).toEqual([games[1]!.game!.id, games[0]!.game!.id]);
    expect(await nodeOf(anybody(), other.user.id)).toBeNull();
    expect(await nodeOf(anybody(), games[0]!.game!.id, '... on Game { player { id } }')).toEqual({
      player: { id: player.user.id },
    });
  });

  test('are no page for another limit or cursor', async () => {
    const { id } = (await aSignedInVisitor(server)).user;
    for (const first of [0, -1, 51, null]) {
      const answer = await anybody().graphql(PAGE, { id, first });
      expect([first, codeOf(answer), answer.errors?.[0]?.message]).toEqual([
        first,
        'BAD_USER_INPUT',
        'first must be a whole number from 1 to 50',
      ]);
    }
    for (const after of ['', 'x', Buffer.from('1.2.3').toString('base64url'), `${'9'.repeat(17)}.1.${id}`]) {
      expect([after, codeOf(await anybody().graphql(PAGE, { id, after }))]).toEqual([after, 'BAD_USER_INPUT']);
    }
    const far = Buffer.from(`${'9'.repeat(16)}.999999999.${id}`).toString('base64url');
    expect((await page(id, { after: far })).edges).toEqual([]);
  });

  test('cost as many values as their limit, and nested lists are refused', async () => {
    const { id } = (await aSignedInVisitor(server)).user;
    const nested = (first: number) =>
      `{ player(id: "${id}") { games(first: ${first}) { edges { node { player { games(first: 50) { edges { cursor } } } } } } } }`;
    expect(codeOf(await anybody().graphql(nested(50)))).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(codeOf(await anybody().graphql(nested(2)))).toBeUndefined();
  });
});

describe('an entry of a leaderboard', () => {
  test('has a rank, a week, its player, and an id of its own in each period', async () => {
    const [first, second] = [await aPlayerWithAWin('First'), await aPlayerWithAWin('Second')];
    await playGame(server, first.player, { result: 'win' });
    const entry = '{ id rank week player { id name } }';
    const answer = await ask<Record<'all' | 'week', { id: string; week: string }[]>>(
      first.player,
      `{ all: leaderboard ${entry} week: leaderboard(period: week) ${entry} }`,
    );
    const week = answer.week[0]!.week;
    expect(week).toBe(weekOf(new Date(week)));
    const entries = (name: string, of: string | null) =>
      [first, second].map(({ id }, at) => ({
        id: `${name}:${id}`,
        rank: at + 1,
        week: of,
        player: { id, name: ['First', 'Second'][at] },
      }));
    expect(answer).toEqual({ all: entries('all', null), week: entries(week, week) });
    expect(
      await ask(second.player, `{ leaderboardAround { places { entry { id rank } } } myWeek { entry { id rank } } }`),
    ).toEqual({
      leaderboardAround: { places: entries('all', null).map(({ id, rank }) => ({ entry: { id, rank } })) },
      myWeek: { entry: { id: `${week}:${second.id}`, rank: 2 } },
    });
  });

  test('comes over a socket for the week too, without its player', async () => {
    const follow = (text: string) => {
      const client = createClient({
        url: `${server.origin.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
      });
      const answers = client.iterate({ query: text });
      return { next: async () => (await answers.next()).value as unknown, end: () => client.dispose() };
    };
    const player = await aSignedInVisitor(server, { name: 'Watched' });
    const live = follow('subscription { leaderboard(period: week) { name score rank } }');
    expect(await live.next()).toEqual({ data: { leaderboard: [] } });
    // A report counts in no week.
    await player.postJson('/api/player/stats', { userId: player.user.id, result: 'win', difficulty: 'easy' });
    await playGame(server, player, { result: 'win' });
    expect(await live.next()).toEqual({ data: { leaderboard: [{ name: 'Watched', score: 1, rank: 1 }] } });
    await live.end();
    const refused = follow('subscription { leaderboard { player { id } } }');
    await expect(refused.next()).rejects.toEqual([
      expect.objectContaining({ message: expect.stringContaining('the maximum is 200') }),
    ]);
    await refused.end();
  });
});

test('every refusal is a `Refusal`, and the schema has the specifications of its scalars', async () => {
  const introspection = getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true, oneOf: true });
  const data = await ask<IntrospectionQuery>(anybody(), introspection);
  const schema = printSchema(buildClientSchema(data));
  const named = [...schema.matchAll(/type (\w+Refused)( implements Refusal)?/g)].map(([, name, is]) => [
    name,
    Boolean(is),
  ]);
  expect(named).toEqual([
    ['ChallengeRefused', true],
    ['DecisionRefused', true],
    ['GameRefused', true],
    ['LinkRefused', true],
  ]);
  for (const scalar of ['Date', 'DateTime'])
    expect(schema).toMatch(new RegExp(`scalar ${scalar} @specifiedBy\\(url: "http`));
  expect(readFileSync('schema.graphql', 'utf8')).toContain('interface Refusal');

  const player = await aSignedInVisitor(server);
  const refused = await ask(
    player,
    `mutation { finishGame(ticket: "x", squares: [0]) { __typename ... on Refusal { message } } }`,
  );
  expect(refused).toMatchObject({ finishGame: { __typename: 'GameRefused', message: expect.stringMatching(/./) } });
});
