import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { findPgBouncer, startPgBouncer } from '../../scripts/machine/pgbouncer.js';
import { realPostgres } from '../support/postgres.js';
import { startServer } from '../support/server.js';

const testWithPooler = findPgBouncer() ? test : test.skip;

testWithPooler('a server works behind a PgBouncer with the configuration of docs/operations.md', async () => {
  const guide = readFileSync('docs/operations.md', 'utf8');
  const [, file] = /^```ini\n(\[databases\]\n.*?)\n```$/ms.exec(guide)!;
  const [, listed] = /^```text\n(.*?)\n```$/ms.exec(guide)!;
  const settings = new Map([...file!.matchAll(/^(\w+) = ?(.*)$/gm)].map(([, name, value]) => [name!, value!]));

  // The role and the password are those of the address that the guide gives the servers.
  const example = new URL(/`(postgresql:\/\/tictactoe_server:[^`]+:6432\/tictactoe)`/.exec(guide)![1]!);
  expect(listed).toBe(`"${example.username}" "${example.password}"`);
  expect(example.host).toBe(`${settings.get('listen_addr')}:${settings.get('listen_port')}`);
  expect(settings.get('tictactoe')).toMatch(/^host=\S+ port=5432 dbname=tictactoe$/);
  expect([settings.get('auth_type'), settings.get('auth_file')]).toEqual([
    'scram-sha-256',
    '/etc/pgbouncer/userlist.txt',
  ]);

  // The test has another address, database and folder; the file of users has the same form.
  for (const name of ['tictactoe', 'listen_addr', 'listen_port', 'auth_file']) settings.delete(name);
  const database = await realPostgres().createDatabase();
  const pooler = await startPgBouncer(database.url, Object.fromEntries(settings));
  const server = await startServer({ databaseUrl: pooler.urlOf(database.url), direct: true });
  expect((await fetch(`${server.origin}/health/ready`)).status).toBe(200);
  await server.remove();
  // A wrong password gets in nowhere.
  const wrong = Object.assign(new URL(pooler.urlOf(database.url)), { password: 'wrong' }).href;
  await expect(startServer({ databaseUrl: wrong, direct: true })).rejects.toThrow(/cannot be used/);
  await pooler.stop();
  await database.drop();
});
