import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/page.js';
import { playGame } from '../support/play.js';
import { execute, type Postgres, startPostgres } from '../support/postgres.js';
import { PATIENT, type Server, startServer } from '../support/server.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

let postgres: Postgres;
let server: Server;
let player: Visitor;
beforeAll(async () => {
  postgres = await startPostgres();
  server = await startServer({ databaseUrl: postgres.url, env: PATIENT });
  player = await aSignedInVisitor(server);
});
afterAll(async () => {
  await server.remove();
  await postgres.stop();
});
afterEach(async () => {
  await change('ALTER DATABASE postgres RESET default_transaction_read_only', ...IN_ALL_SESSIONS('RESET'));
  await eventually(ready, 'ready');
  await eventually(write, 'GameCounted');
  expect(server.log()).not.toMatch(/"stack"|unexpected_error/);
});

/** The sessions of the server that are open stay as they are. */
const IN_NEW_SESSIONS = 'ALTER DATABASE postgres SET default_transaction_read_only = on';
const IN_ALL_SESSIONS = (set: string, to = '') => [
  `ALTER SYSTEM ${set} default_transaction_read_only${to}`,
  'SELECT pg_reload_conf()',
];
const END = `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'ttt'`;

/** Runs statements on a connection that may write. */
const change = (...statements: string[]) =>
  execute(postgres.url, 'SET default_transaction_read_only = off', ...statements);
const ready = async () => {
  const { status, code } = (await (await fetch(`${server.origin}/health/ready`)).json()) as Record<string, string>;
  return status ?? code;
};
const write = () =>
  playGame(server, player, { result: 'win' }).then(
    ({ __typename }) => __typename as string,
    (error: unknown) => /SERVICE_UNAVAILABLE/.exec(String(error))?.[0] ?? String(error),
  );
const read = async () => (await player.graphql('{ me { stats { score } games { edges { node { id } } } } }')).errors;

test.each([
  ['a failover that ends all connections', [IN_NEW_SESSIONS, END]],
  ['one that keeps all connections', IN_ALL_SESSIONS('SET', ' = on')],
  [
    'one that keeps only the connection of the health check',
    [IN_NEW_SESSIONS, `${END} AND query NOT LIKE '%"readOnly"'`],
  ],
])(
  'after %s to a database that accepts no writes, the server is not ready, and reads are served',
  async (_which, how) => {
    await eventually(ready, 'ready');
    await change(...how);
    await eventually(write, 'SERVICE_UNAVAILABLE');
    await eventually(ready, 'database_read_only');
    expect(await read()).toBeUndefined();
  },
);

test('connections that stay on a database that accepts no writes are dropped when new ones may write, and nobody has to ask for the health', async () => {
  await change(IN_NEW_SESSIONS, END);
  await Promise.all(Array.from({ length: 20 }, read));
  await eventually(write, 'SERVICE_UNAVAILABLE');
  await change('ALTER DATABASE postgres RESET default_transaction_read_only');
  await eventually(write, 'GameCounted');
});

test('a database that comes back during requests is used at once', async () => {
  await change(...IN_ALL_SESSIONS('SET', ' = on'));
  expect(new Set(await Promise.all(Array.from({ length: 10 }, write)))).toEqual(new Set(['SERVICE_UNAVAILABLE']));
  await change(...IN_ALL_SESSIONS('RESET'));
  await eventually(write, 'GameCounted');
});
