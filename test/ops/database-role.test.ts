import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { playGame } from '../support/play.js';
import { execute, type Postgres, startPostgres } from '../support/postgres.js';
import { startServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

/** The image of PostgreSQL runs it when compose starts it on an empty volume. */
const SCRIPT = readFileSync('docker/server-role.sql', 'utf8');

/** The superuser, by the name from compose. */
const OWNER = 'tictactoe';
const ROLE = 'tictactoe_server';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
  await execute(postgres.url, `CREATE ROLE ${OWNER} SUPERUSER LOGIN`);
});
afterAll(() => postgres.stop());

function urlOf(database: string, user: string): string {
  const url = new URL(postgres.url);
  url.username = user;
  url.password = 'c0ffee';
  url.pathname = database;
  return url.href;
}

/** Creates what the image creates on an empty volume: the superuser's password and its database. */
async function emptyVolume(database: string): Promise<void> {
  await execute(postgres.url, `ALTER ROLE ${OWNER} PASSWORD 'c0ffee'`);
  await execute(postgres.url, `CREATE DATABASE ${database} OWNER ${OWNER}`);
}

/** Starts the product on the database and plays a game. */
async function playAs(user: string, database: string): Promise<void> {
  const server = await startServer({ databaseUrl: urlOf(database, user) });
  try {
    const player = await aSignedInVisitor(server);
    expect(await playGame(server, player, { result: 'win' })).toMatchObject({ __typename: 'GameCounted' });
  } finally {
    await server.remove();
  }
}

test('the role migrates the schema and runs the product without being a superuser', async () => {
  await emptyVolume('fresh');
  await execute(urlOf('fresh', OWNER), SCRIPT);
  await playAs(ROLE, 'fresh');

  const [rights] = await execute(
    urlOf('fresh', ROLE),
    'SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = current_user',
  );
  expect(new Set(Object.values(rights!))).toEqual(new Set([false]));
  for (const forbidden of ['SELECT * FROM pg_authid', 'CREATE ROLE other', `COPY (SELECT 1) TO PROGRAM 'true'`]) {
    await expect(execute(urlOf('fresh', ROLE), forbidden)).rejects.toThrow(/permission denied/);
  }
  // The role's password does not open the superuser.
  await expect(execute(urlOf('fresh', OWNER), 'SELECT 1')).rejects.toThrow(/password authentication failed/);
});
