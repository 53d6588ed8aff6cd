import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { Env } from '../../server/settings/env.js';
import { Keys } from '../../server/settings/keys.js';
import { playGame } from '../support/play.js';
import { execute, type Postgres, startPostgres } from '../support/postgres.js';
import { PATIENT, refusalToStart, startServer, wrongSettingsIn } from '../support/server.js';
import { ttt } from '../support/ttt.js';
import { aSignedInVisitor } from '../support/visitor.js';

let postgres: Postgres;
let sockets: string;
beforeAll(async () => {
  // The path of a socket has at most 107 bytes.
  sockets = mkdtempSync('/tmp/sockets-');
  // PostgreSQL may run as another user.
  chmodSync(sockets, 0o777);
  postgres = await startPostgres({ settings: { unix_socket_directories: sockets, unix_socket_permissions: '0777' } });
});
afterAll(async () => {
  await postgres.stop();
  rmSync(sockets, { recursive: true });
});

/** A database of this name, on which these statements have run. */
async function aDatabase(name: string, options = '', ...statements: string[]): Promise<string> {
  await execute(postgres.url, `CREATE DATABASE ${name} TEMPLATE template0 ${options}`);
  const url = new URL(postgres.url);
  url.pathname = name;
  await execute(url.href, ...statements);
  return url.href;
}

test('other settings of the database change nothing: the product says what it needs at the start of each connection', async () => {
  const settings = [
    ...["datestyle = 'SQL, DMY'", "intervalstyle = 'iso_8601'", "timezone = 'Asia/Kolkata'"],
    ...["client_encoding = 'LATIN1'", 'standard_conforming_strings = off', "bytea_output = 'escape'"],
    ...["statement_timeout = '1ms'", "lock_timeout = '1ms'", "default_transaction_isolation = 'serializable'"],
  ];
  const databaseUrl = await aDatabase('odd', '', ...settings.map((setting) => `ALTER DATABASE odd SET ${setting}`));
  const server = await startServer({ databaseUrl, env: PATIENT });
  try {
    const player = await aSignedInVisitor(server, { name: 'Zoë ☕ 木' });
    await playGame(server, player, { result: 'win' });
    expect((await player.graphql('{ me { name stats { score } } }')).data).toEqual({
      me: { name: 'Zoë ☕ 木', stats: { score: 1 } },
    });
    expect((await ttt(server, 'doctor')).said).toMatch(
      /clock: \d+ ms between[^]*the sums of 1 games of 1 random players .* are right/,
    );
    await execute(databaseUrl, 'SET statement_timeout = 0; DROP TABLE player_stats');
    expect(await ttt(server, 'doctor')).toEqual({
      code: 1,
      said: expect.stringContaining('PROBLEM  sums: relation "player_stats" does not exist'),
    });
  } finally {
    await server.remove();
  }
});

describe('a search finds a name', () => {
  test.each([
    ['whose locale is C', 'locale_c', "LOCALE 'C'"],
    ['with the rules of Turkish', 'locale_tr', "LOCALE_PROVIDER icu ICU_LOCALE 'tr' LOCALE 'C'"],
  ])('pasted in any form, on a database %s', async (_which, name, options) => {
    const databaseUrl = await aDatabase(name, options);
    expect((await ttt({ databaseUrl, dataDir: '' }, 'migrate')).code).toBe(0);
    const stored = ['Zoë Ångström', 'IRIS', 'ıris', 'Größe', 'ΟΔΥΣΣΕΎΣ', 'İpek', 'öden', 'IVAN@EXAMPLE.ORG'];
    const add = `INSERT INTO players (name, email, provider, created_at) VALUES ($1, $2, 'google', now())`;
    const client = new pg.Client(databaseUrl);
    await client.connect();
    for (const player of stored) await client.query(add, [player, player.includes('@') ? player : null]);
    await client.end();
    const found = async (search: string) => {
      const { said } = await ttt({ databaseUrl, dataDir: '' }, 'player', 'find', search, '--json');
      return (JSON.parse(said) as { name: string }[]).map((player) => player.name);
    };
    expect(await found('zoë ångström'.normalize('NFD'))).toEqual(['Zoë Ångström']);
    expect(await found('  ZOË \u00a0 ÅNG\u200b ')).toEqual(['Zoë Ångström']);
    expect((await found('iris')).sort()).toEqual(['IRIS', 'ıris']);
    expect(await found('n')).toEqual(['IVAN@EXAMPLE.ORG', 'öden', 'Zoë Ångström']);
    expect(await found('GRÖSSE')).toEqual(['Größe']);
    expect(await found('οδυσσεύς')).toEqual(['ΟΔΥΣΣΕΎΣ']);
    expect(await found('İPEK')).toEqual(['İpek']);
    expect(await found('ivan@example.org')).toEqual(['IVAN@EXAMPLE.ORG']);
    expect(await found('%')).toEqual([]);
  });
});

test('over a Unix socket, a slow statement ends in the database too', async () => {
  const url = new URL(await aDatabase('local'));
  const { username, password } = url;
  const server = await startServer({
    databaseUrl: `postgresql://${username}:${password}@/local?host=${sockets}&port=${postgres.port}`,
    env: { DATABASE_STATEMENT_TIMEOUT_MS: '1000' },
  });
  try {
    const player = await aSignedInVisitor(server);
    await execute(
      url.href,
      'CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$',
      'CREATE TRIGGER slow BEFORE INSERT ON games FOR EACH ROW EXECUTE FUNCTION slow()',
    );
    for (let tries = 0; tries < 2; tries++) {
      await expect(playGame(server, player, { result: 'win' })).rejects.toThrow('SERVICE_UNAVAILABLE');
    }
    const running = `SELECT query FROM pg_stat_activity
      WHERE datname = 'local' AND state = 'active' AND pid <> pg_backend_pid() AND query_start < clock_timestamp() - interval '5 seconds'`;
    expect(await execute(url.href, running)).toEqual([]);
  } finally {
    await server.remove();
  }
});

describe('the server refuses to start, in a sentence that says what to do,', () => {
  const refused = async (env: Record<string, string>, sentence: RegExp) => {
    const { code, said } = await refusalToStart({ PORT: '0', ...env });
    expect([code, said]).toEqual([1, expect.stringMatching(sentence)]);
    expect(said).not.toMatch(/^ {4}at /m);
  };

  test('on a database that it may not change', async () => {
    await execute(postgres.url, "CREATE ROLE weak LOGIN PASSWORD 'weak'");
    const weak = new URL(await aDatabase('rights'));
    Object.assign(weak, { username: 'weak', password: 'weak' });
    await refused({ DATABASE_URL: weak.href }, /permission denied for schema public\. Let the role/);
  });

  test('where the role, the database or PostgreSQL leaves it one connection', async () => {
    const small = await startPostgres({ settings: { max_connections: '4', superuser_reserved_connections: '3' } });
    const owned = async (on: Postgres, name: string, ofRole = '', ofDatabase = '') => {
      const role = `CREATE ROLE ${name} LOGIN PASSWORD 'secret' ${ofRole}`;
      await execute(on.url, role, `CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0 ${ofDatabase}`);
      return Object.assign(new URL(on.url), { pathname: name, username: name, password: 'secret' }).href;
    };
    try {
      const limited = [
        await owned(postgres, 'limited_role', 'CONNECTION LIMIT 1'),
        await owned(postgres, 'limited_database', '', 'CONNECTION LIMIT 1'),
        await owned(small, 'limited_server'),
      ];
      for (const DATABASE_URL of limited) {
        const sentence = /(too many (connections|clients)|slots are reserved).*max_connections.*CONNECTION LIMIT/;
        await refused({ DATABASE_URL }, sentence);
        expect((await ttt({ databaseUrl: DATABASE_URL, dataDir: '' }, 'migrate')).said).toMatch(sentence);
      }
      const none = await owned(postgres, 'no_connection', 'CONNECTION LIMIT 0');
      expect((await ttt({ databaseUrl: none, dataDir: '' }, 'doctor')).said).toMatch(/too many.*CONNECTION LIMIT/);
    } finally {
      await small.stop();
    }
  });

  // The command line opens a database as the server does, and no process has to start for it.
  test.each([
    ['in_ascii', `ENCODING 'SQL_ASCII' LOCALE 'C'`, [], /encoding is SQL_ASCII.* ENCODING 'UTF8'/],
    ['in_latin1', `ENCODING 'LATIN1' LOCALE 'C'`, [], /encoding is LATIN1.* ENCODING 'UTF8'/],
    ['read_only', '', ['ALTER DATABASE read_only SET default_transaction_read_only = on'], /It accepts no writes/],
    ['nowhere', '', ['ALTER DATABASE nowhere SET search_path = nowhere'], /search_path names no schema/],
    ['foreign_tables', '', ['CREATE TABLE players (id integer)'], /Another program uses this database/],
  ])('and so does the command line, on the database %s', async (name, options, statements, sentence) => {
    const databaseUrl = await aDatabase(name, options, ...statements);
    expect(await ttt({ databaseUrl, dataDir: '' }, 'migrate')).toEqual({
      code: 1,
      said: expect.stringMatching(sentence),
    });
  });

  test.each([
    ['DATABASE_URL', 'postgresql://u:50%off@host/db'],
    ['DATABASE_URL', 'postgresql://u:p%zz@host/db'],
    ['DATABASE_URL', 'postgresql://u:pass#word@host/db'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.0/'],
    ['TRUST_PROXY', '::1/129, loopback'],
  ])('with %s=%s', (name, value) => {
    expect(wrongSettingsIn({ [name]: value })).toEqual([expect.stringMatching(`^${name} must be`)]);
  });

  test('on the address of another machine', async () => {
    const DATABASE_URL = await aDatabase('elsewhere');
    await refused({ HOST: '192.0.2.1', DATABASE_URL }, /HOST is not .*0\.0\.0\.0 for all/);
    const unknown = { METRICS_HOST: 'no-such-host.invalid', METRICS_PORT: '1' };
    await refused(unknown, /METRICS_HOST is not .*0\.0\.0\.0 for all/);
  });

  test('with a DATA_DIR that may not be made, and with a secret in it that is too short or is a folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'data-'));
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const DATA_DIR of [file, '/proc/data']) {
      await refused({ DATA_DIR }, /may not write to its data folder .* set DATA_DIR/);
    }
    const keys = () => new Keys(Object.assign(new Env(), { dataDir: folder }));
    writeFileSync(join(folder, 'auth-secret'), 'short');
    expect(keys).toThrow(/auth-secret must hold at least 32 characters/);
    rmSync(join(folder, 'auth-secret'));
    mkdirSync(join(folder, 'auth-secret'));
    expect(keys).toThrow(/auth-secret cannot be read .* set AUTH_SECRET/);
    rmSync(folder, { recursive: true });
  });
});
