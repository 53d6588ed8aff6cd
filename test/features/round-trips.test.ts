import { expect, test } from '@jest/globals';
import { eventually } from '../support/page.js';
import { aReadyWin } from '../support/play.js';
import { aServer, linesDuring, query } from '../support/server.js';
import { aSignedInVisitor, Visitor } from '../support/visitor.js';

const server = aServer({ preload: [new URL('../support/logStatements.js', import.meta.url).href] });

/** The statements that the server sends to its database during the work. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const lines = await linesDuring(server, work);
  return (
    lines
      .filter((line) => line.includes('"event":"statement"'))
      .map((line) => (JSON.parse(line) as { text: string }).text)
      // Work in the background: the histogram of scores, the clock, a further connection, bans and the challenge.
      .filter((text) => !/GROUP BY score|clock_timestamp|^\s*SET DateStyle|"bans"|NOT closed OR|_identities/.test(text))
  );
}

test('a game is counted in three round trips to the database, including the session and limit checks', async () => {
  const player = await aSignedInVisitor(server);
  const sent = await statementsOf((await aReadyWin(server, player)).finish);
  expect(sent).toHaveLength(3);

  const reported = await statementsOf(() => player.report());
  expect(reported).toHaveLength(3);
});

const read = (headers: Record<string, string> = {}) => fetch(`${server.origin}/api/leaderboard`, { headers });

test('parallel readers of the leaderboard cause one read of the database, over REST and GraphQL together', async () => {
  const { origin } = server;
  const ask = async (at: number) => {
    const query = encodeURIComponent('{ leaderboard { name } }');
    const headers = { accept: 'application/graphql-response+json' };
    const response = at % 2 ? await read() : await fetch(`${origin}/graphql?query=${query}`, { headers });
    expect(response.status).toBe(200);
  };
  const readAtOnce = async () => {
    await server.moveClock(1_000);
    const began = performance.now();
    const sent = await statementsOf(() => Promise.all(Array.from({ length: 10 }, (_none, at) => ask(at))));
    return { sent, took: performance.now() - began };
  };
  let last = await readAtOnce();
  // On a busy machine ten requests may take longer than a board is kept.
  for (let tries = 0; last.took > 900 && tries < 20; tries++) last = await readAtOnce();
  expect(last.sent).toHaveLength(1);
});

test('reads the leaderboard again after a second, with a token, and with no-cache', async () => {
  const player = await aSignedInVisitor(server);
  for (const again of [
    async () => server.moveClock(1_000).then(() => read()),
    async () => server.moveClock(-10_000).then(() => read()),
    async () => player.api('/api/leaderboard'),
    async () => player.graphql('{ leaderboard { name } }'),
    // The server keeps the answer of the first one now.
    async () => player.graphql('{ leaderboard { name } }'),
    async () => read({ 'cache-control': 'no-cache' }),
    async () => read({ 'cache-control': 'max-age=0' }),
  ]) {
    await read();
    expect(await statementsOf(again)).toHaveLength(1);
  }
});

test('all fields of a query share one look-up of their session, and each field of a mutation has its own', async () => {
  const player = await aSignedInVisitor(server);
  const read = await statementsOf(() =>
    player.graphql('{ a: me { id } b: me { id } mySessions { id } myTokens { id } }'),
  );
  expect(read).toHaveLength(3);
  const START = 'startGame(difficulty: easy) { gameId }';
  const wrote = await statementsOf(() => player.graphql(`mutation { a: ${START} b: ${START} }`));
  expect(wrote.filter((text) => text.includes('sessions'))).toHaveLength(2);
});

test('`me` reads only what is asked', async () => {
  const player = await aSignedInVisitor(server);
  for (const [fields, expected] of [
    ['stats { wins }', 2],
    ['id stats { wins }', 2],
    ['stats { wins } name', 3],
    ['id', 1],
    ['achievements { hardDraws }', 2],
    ['name picture email', 2],
  ] as const) {
    const sent = await statementsOf(async () =>
      expect((await player.graphql(`{ me { ${fields} } }`)).errors).toBeUndefined(),
    );
    expect([fields, sent.length]).toEqual([fields, expected]);
  }
});

test('a standing takes four round trips with the look-up of the session, and the places around a player six', async () => {
  const player = await aSignedInVisitor(server);
  await player.report();
  for (const [document, expected] of [
    ['{ me { standing { rank } } }', 4],
    // The ranges begin at the row of the standing.
    ['{ me { standing { rank neighbours { next { rank } } } } }', 6],
  ] as const) {
    const sent = await statementsOf(async () => expect((await player.graphql(document)).errors).toBeUndefined());
    expect(sent).toHaveLength(expected);
  }
});

test('a player behind the first 2,000 places costs one round trip after the look-up of the session, and the place comes from memory', async () => {
  const player = await aSignedInVisitor(server);
  await player.report();
  await query(
    server,
    `INSERT INTO players (name, provider, created_at) SELECT 'Other', 'google', now() FROM generate_series(1, 2001)`,
  );
  await query(
    server,
    `INSERT INTO player_stats (player_id, score, wins, easy_wins, reached_at)
     SELECT id, 50, 50, 50, now() FROM players WHERE name = 'Other'`,
  );
  // It counts the players of each score when it starts.
  await server.restart();
  const standing = async () => {
    const { data } = await player.graphql<{ me: { standing: { rank: number } } }>('{ me { standing { rank } } }');
    expect(data!.me.standing.rank).toBeGreaterThan(2_000);
  };
  await standing();
  // The work in the background, which begins with the start, has statements of its own.
  await eventually(async () => (await statementsOf(standing)).length, 2);
});

test('a revoked token is checked once, and its reason read once, for all fields of a request and with any scope', async () => {
  const player = await aSignedInVisitor(server);
  const CREATE =
    'mutation ($scopes: [TokenScope!]!) { createToken(name: "A", scopes: $scopes) { secret token { id } } }';
  for (const scope of ['games_write', 'stats_read']) {
    const { data } = await player.graphql<{ createToken: { secret: string; token: { id: string } } }>(CREATE, {
      scopes: [scope],
    });
    const { secret, token } = data!.createToken;
    await player.graphql(`mutation { revokeToken(id: "${token.id}") { id } }`);
    const program = Object.assign(new Visitor(server), { accessToken: secret });
    const fields = Array.from({ length: 10 }, (_none, at) => `a${at}: me { stats { wins } }`);
    const sent = await statementsOf(async () => {
      const { errors } = await program.graphql(`{ ${fields.join(' ')} }`);
      expect(errors).toMatchObject([{ extensions: { code: 'TOKEN_REVOKED' } }]);
    });
    // The note that it was used is written in the background.
    const read = sent.filter((text) => !text.startsWith('UPDATE'));
    expect([scope, read.length]).toEqual([scope, 2]);
  }
});
