import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { cannotListen, Env } from '../../server/settings/env.js';
import { Keys } from '../../server/settings/keys.js';
import { playGame } from '../support/play.js';
import { execute, type Postgres, startPostgres } from '../support/postgres.js';
import { refusalToStart, startServer, wrongSettingsIn } from '../support/server.js';
import { ttt, tttWith } from '../support/ttt.js';
import { aSignedInVisitor } from '../support/visitor.js';

let postgres: Postgres;
let sockets: string;
let certificate: string;
beforeAll(async () => {
  // The path of a socket has at most 107 bytes.
  sockets = mkdtempSync('/tmp/sockets-');
  // PostgreSQL may run as another user.
  chmodSync(sockets, 0o777);
  const key = join(sockets, 'localhost.key');
  certificate = join(sockets, 'localhost.crt');
  const made = `req -x509 -newkey ed25519 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${certificate}`;
  execFileSync('openssl', made.split(' '), { stdio: 'pipe' });
  if (process.getuid!() === 0) chownSync(key, 65534, 65534);
  const tls = { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key };
  const socket = { unix_socket_directories: sockets, unix_socket_permissions: '0777' };
  postgres = await startPostgres({ settings: { ...socket, ...tls, max_connections: '40' } });
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

test('other settings of the database change nothing, also over a Unix socket, where a slow statement ends in the database too', async () => {
  const settings = [
    ...["datestyle = 'SQL, DMY'", "intervalstyle = 'iso_8601'", "timezone = 'Asia/Kolkata'"],
    ...["client_encoding = 'LATIN1'", 'standard_conforming_strings = off', "bytea_output = 'escape'"],
    ...["statement_timeout = '1ms'", "lock_timeout = '1ms'", "default_transaction_isolation = 'serializable'"],
  ];
  const url = new URL(await aDatabase('odd', '', ...settings.map((setting) => `ALTER DATABASE odd SET ${setting}`)));
  const { username, password } = url;
  const patient = `${url.href}?options=-c%20statement_timeout%3D0`;
  const server = await startServer({
    databaseUrl: `postgresql://${username}:${password}@/odd?host=${sockets}&port=${postgres.port}`,
  });
  try {
    // The product says what it needs at the start of each connection.
    const player = await aSignedInVisitor(server, { name: 'Zoë ☕ 木' });
    await playGame(server, player, { result: 'win' });
    expect((await player.graphql('{ me { name stats { score } } }')).data).toEqual({
      me: { name: 'Zoë ☕ 木', stats: { score: 1 } },
    });
    expect((await ttt(server, 'doctor')).said).toMatch(
      /clock: \d+ ms between[^]*the sums of 1 games of 1 random players .* are right/,
    );
    await execute(
      patient,
      'CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$',
      'CREATE TRIGGER slow BEFORE INSERT ON games FOR EACH ROW EXECUTE FUNCTION slow()',
    );
    for (let tries = 0; tries < 2; tries++) {
      await expect(playGame(server, player, { result: 'win' })).rejects.toThrow('SERVICE_UNAVAILABLE');
    }
    const running = `SELECT query FROM pg_stat_activity
      WHERE datname = 'odd' AND state = 'active' AND pid <> pg_backend_pid() AND query_start < clock_timestamp() - interval '5 seconds'`;
    expect(await execute(patient, running)).toEqual([]);
    // From the first statement of the connection on: a millisecond is too short for any of them.
    await execute(patient, 'DROP TABLE player_stats');
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

const migrated = (databaseUrl: string) => ttt({ databaseUrl, dataDir: '' }, 'migrate');
const UP_TO_DATE = 'The schema is up to date.\n';

test('the tables stay in `public` where the address or the role prefers another schema; a start stops at them there', async () => {
  const before = `${await aDatabase('of_address', '', 'CREATE SCHEMA app')}?options=-c%20search_path%3Dapp`;
  const after = await aDatabase('of_role');
  const place = `SELECT schemaname AS place FROM pg_tables WHERE tablename = 'player_stats'`;
  await migrated(after);
  const prefers = 'ALTER ROLE postgres IN DATABASE of_role SET search_path = "An app", public';
  await execute(after, 'CREATE SCHEMA "An app"', prefers);
  for (const url of [before, after]) {
    expect((await migrated(url)).said).toBe(UP_TO_DATE);
    expect(await execute(url, place)).toEqual([{ place: 'public' }]);
  }
  // As an earlier version made them, beside others in `public`.
  await execute(after, 'DROP SCHEMA "An app" CASCADE; ALTER SCHEMA public RENAME TO "An app"');
  await execute(after, 'CREATE SCHEMA public; CREATE TABLE public.notes (); CREATE TABLE public.migrations_old ()');
  const { code, said } = await migrated(after);
  expect([code, said]).toEqual([1, expect.stringContaining('the schema "An app" has tables of the game')]);
  await execute(after, 'ALTER ROLE postgres IN DATABASE of_role RESET search_path');
  expect((await migrated(`${after}?options=-c%20search_path%3D"An%5C%20app"`)).said).toBe(said);
  await execute(after, prefers);
  await execute(after, /ALTER TABLE .*(?=\. If not)/.exec(said)![0]);
  expect((await migrated(after)).said).toBe(UP_TO_DATE);
  expect(await execute(after, place)).toEqual([{ place: 'public' }]);
  expect(await execute(after, `SELECT FROM pg_proc WHERE pronamespace = 'public'::regnamespace`)).toHaveLength(1);
  // A copy that no path names stays where it is.
  await execute(after, 'ALTER SCHEMA public RENAME TO copy; CREATE SCHEMA public');
  expect((await migrated(after)).said).toMatch(/./);
  expect(await execute(after, `${place} ORDER BY 1`)).toEqual([{ place: 'copy' }, { place: 'public' }]);
});

test('with sslrootcert=system, a certificate of a root of the system is taken, and no other', async () => {
  const url = (await aDatabase('tls')).replace('127.0.0.1', 'localhost');
  // Node reads the file of further roots at its start.
  const env = { DATABASE_URL: `${url}?sslrootcert=system`, SSL_CERT_FILE: certificate };
  const said = execFileSync(process.execPath, ['dist/bundle/ttt.js', 'migrate'], { env, encoding: 'utf8' });
  expect(said).toBe(UP_TO_DATE);
  for (const query of ['', '&sslmode=verify-full']) {
    expect((await migrated(`${url}?sslrootcert=system${query}`)).said).toMatch(
      /^The database at DATABASE_URL cannot be used: self-signed certificate/,
    );
  }
  for (const mode of ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'no-verify']) {
    const problem = expect.stringMatching(/^DATABASE_URL must have sslmode=verify-full/);
    expect(wrongSettingsIn({ DATABASE_URL: `${url}?sslmode=${mode}&sslrootcert=system` })).toEqual([problem]);
  }
});

/** Debian has none before its package `locales` makes one. */
const [LIBC] = /^[a-z]+_[A-Z]+\.utf8$/m.exec(execFileSync('locale', ['-a'], { encoding: 'utf8' })) ?? [];
if (!LIBC) process.stdout.write('SKIPPED: the sorting of libc needs a locale such as en_US.utf8.\n');
test.each([
  ...(LIBC ? [['libc', `LOCALE_PROVIDER libc LOCALE '${LIBC}'`] as const] : []),
  ['icu', `LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C'`] as const,
])('when an image sorts otherwise, the doctor says how to sort again (%s)', async (name, options) => {
  const databaseUrl = await aDatabase(name, options);
  await migrated(databaseUrl);
  const commands = async () => {
    const { said } = await ttt({ databaseUrl, dataDir: '' }, 'doctor');
    return Array.from(said.matchAll(/REINDEX DATABASE \w+; ALTER .*/g), ([all]) => all).sort();
  };
  expect(await commands()).toEqual([]);
  await execute(databaseUrl, `UPDATE pg_database SET datcollversion = '0' WHERE datname = current_database()`);
  await execute(databaseUrl, `UPDATE pg_collation SET collversion = '0' WHERE collname IN ('und-x-icu', 'de-x-icu')`);
  const said = await commands();
  expect(said).toEqual([
    `REINDEX DATABASE ${name}; ALTER COLLATION "und-x-icu" REFRESH VERSION;`,
    `REINDEX DATABASE ${name}; ALTER DATABASE ${name} REFRESH COLLATION VERSION;`,
  ]);
  for (const one of said) await execute(databaseUrl, ...one.split('; '));
  expect(await commands()).toEqual([]);
});

describe('the server refuses to start, in a sentence that says what to do,', () => {
  test('where the role, the database or PostgreSQL leaves it one connection', async () => {
    const owned = async (name: string, ofRole = '', ofDatabase = '') => {
      const role = `CREATE ROLE ${name} LOGIN PASSWORD 'secret' ${ofRole}`;
      await execute(postgres.url, role, `CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0 ${ofDatabase}`);
      return Object.assign(new URL(postgres.url), { pathname: name, username: name, password: 'secret' }).href;
    };
    const sentence = /(too many (connections|clients)|slots are reserved).*max_connections.*CONNECTION LIMIT/;
    const limited = [
      await owned('limited_role', 'CONNECTION LIMIT 1'),
      await owned('limited_database', '', 'CONNECTION LIMIT 1'),
    ];
    for (const databaseUrl of limited) expect((await migrated(databaseUrl)).said).toMatch(sentence);
    const { code, said } = await refusalToStart({ PORT: '0', DATABASE_URL: limited[0]! });
    expect([code, said]).toEqual([1, expect.stringMatching(sentence)]);
    expect(said).not.toMatch(/^ {4}at /m);
    const none = await owned('no_connection', 'CONNECTION LIMIT 0');
    expect((await ttt({ databaseUrl: none, dataDir: '' }, 'doctor')).said).toMatch(/too many.*CONNECTION LIMIT/);

    const unlimited = await owned('unlimited');
    const others: pg.Client[] = [];
    try {
      for (let isFull = false; !isFull;) {
        const other = new pg.Client(unlimited);
        isFull = await other.connect().then(
          () => others.push(other) === 0,
          () => true,
        );
      }
      await others.pop()!.end();
      expect((await migrated(unlimited)).said).toMatch(sentence);
    } finally {
      await Promise.all(others.map((other) => other.end()));
    }
  });

  // The command line opens a database as the server does, and no process has to start for it.
  test.each([
    ['in_ascii', `ENCODING 'SQL_ASCII' LOCALE 'C'`, [], /encoding is SQL_ASCII.* ENCODING 'UTF8'/],
    ['in_latin1', `ENCODING 'LATIN1' LOCALE 'C'`, [], /encoding is LATIN1.* ENCODING 'UTF8'/],
    ['read_only', '', ['ALTER DATABASE read_only SET default_transaction_read_only = on'], /It accepts no writes/],
    ['nowhere', '', ['DROP SCHEMA public'], /CREATE SCHEMA public/],
    ['foreign_tables', '', ['CREATE TABLE players (id integer)'], /Another program uses this database/],
    ['rights', '', ["CREATE ROLE weak LOGIN PASSWORD 'weak'"], /permission denied for schema public\. Let the role/],
  ])('and so does the command line, on the database %s', async (name, options, statements, sentence) => {
    const url = new URL(await aDatabase(name, options, ...statements));
    if (name === 'rights') Object.assign(url, { username: 'weak', password: 'weak' });
    expect(await migrated(url.href)).toEqual({ code: 1, said: expect.stringMatching(sentence) });
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

  test.each(['192.0.2.1', 'no-such-host.invalid'])('on %s, which is no address of this machine', async (host) => {
    const [error] = (await once(createServer().listen(0, host), 'error')) as [NodeJS.ErrnoException];
    const { message } = cannotListen(error, 'PORT', 'HOST');
    expect(message).toMatch(/^The server cannot start: HOST is not .*0\.0\.0\.0 for all/);
  });

  test('with a DATA_DIR that may not be made, and with a secret in it that is too short or is a folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'data-'));
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { said } = await tttWith({ DATA_DIR: file }, 'doctor');
    expect(said).toMatch(/may not write to its data folder .* set DATA_DIR/);
    const keys = () => new Keys(Object.assign(new Env(), { dataDir: folder }));
    writeFileSync(join(folder, 'auth-secret'), 'short');
    expect(keys).toThrow(/auth-secret must hold at least 32 characters/);
    rmSync(join(folder, 'auth-secret'));
    mkdirSync(join(folder, 'auth-secret'));
    expect(keys).toThrow(/auth-secret cannot be read .* set AUTH_SECRET/);
    rmSync(folder, { recursive: true });
  });
});
