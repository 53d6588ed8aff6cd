import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { systemPrograms } from '../../scripts/machine/postgres.js';
import { eventually } from '../support/page.js';
import { playGame } from '../support/play.js';
import { execute, type Postgres, startPostgres } from '../support/postgres.js';
import { type Server, startServer } from '../support/server.js';
import { type Said, tttWith } from '../support/ttt.js';
import { aSignedInVisitor, type Visitor } from '../support/visitor.js';

/** pg_dump saves no server that is newer than itself, so the server comes from the same package. */
const client = systemPrograms();
const describeWithClient = client ? describe : describe.skip;
if (!client) process.stdout.write('SKIPPED: backup and restore need PostgreSQL with its client programs.\n');

const SCRIPT = resolve('docker/backup');

const OBJECTS = `SELECT oid::regclass::text AS name, relowner::regrole::text, relacl::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
  UNION ALL SELECT pg_get_triggerdef(oid), tgname, NULL FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT conname, conrelid::regclass::text, NULL FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT attname, attacl::text, NULL FROM pg_attribute WHERE attrelid = 'players'::regclass ORDER BY 1, 2`;
const DATA = ['player_stats', 'player_weeks', 'games', 'sessions', 'players', 'identities', 'migrations'].map(
  (table) => `SELECT * FROM ${table} ORDER BY 1, 2`,
);
const EXTENSIONS = 'SELECT extname, extnamespace::regnamespace::text AS place, extowner FROM pg_extension ORDER BY 1';
const SLOT = `SELECT pg_create_logical_replication_slot('of_' || current_database(), 'pgoutput')`;
const SLOTS = 'SELECT slot_name FROM pg_replication_slots WHERE database = current_database()';
const HIDDEN = 'CREATE SCHEMA bi; CREATE TABLE bi.facts AS SELECT 7 AS fact; CREATE VIEW bi.view AS TABLE bi.facts';
const OTHER = 'CREATE TABLE notes AS SELECT 7 AS note; CREATE TABLE "Games"" 2026" (id serial PRIMARY KEY)';
const OWN = `SET ROLE tictactoe_server; CREATE TABLE games_old AS SELECT 7 AS note; CREATE VIEW old AS TABLE games_old; CREATE INDEX ON games_old (note);
  CREATE FUNCTION noted() RETURNS integer LANGUAGE sql AS 'SELECT note FROM old'; CREATE INDEX extra ON games (result);
  CREATE FUNCTION games(date) RETURNS integer LANGUAGE sql AS 'SELECT 8'; CREATE FUNCTION ttt_guard() RETURNS integer LANGUAGE sql AS 'SELECT 9'`;
const RIGHTS = `CREATE ROLE "Rea""der"; GRANT SELECT ON games, audit_id_seq TO "Rea""der" WITH GRANT OPTION; GRANT UPDATE (name), SELECT ON players TO PUBLIC`;
const CLOSED = `CREATE ROLE anon; GRANT SELECT ON players TO anon; ALTER TABLE players ENABLE ROW LEVEL SECURITY; SET ROLE tictactoe_server;
  ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO anon; ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO PUBLIC`;
const OPEN = `SELECT relname, grantee, privilege_type, is_grantable, relrowsecurity FROM pg_class, aclexplode(relacl)
  WHERE relnamespace = 'public'::regnamespace AND grantee <> relowner UNION ALL
  SELECT attname, grantee, privilege_type, is_grantable, NULL FROM pg_attribute, aclexplode(attacl)
  WHERE attrelid = 'players'::regclass ORDER BY 1, 2, 3`;
/** What others have in the database, and what is the same after a restore. The schema of the role's name would take what is made after it. */
const NEIGHBOURS: [sql: string, same: string][] = [
  ['CREATE EXTENSION pg_stat_statements; CREATE SCHEMA x; CREATE EXTENSION amcheck SCHEMA x', EXTENSIONS],
  ['SET ROLE tictactoe_server; CREATE EXTENSION pg_trgm; CREATE EXTENSION citext', EXTENSIONS],
  ['CREATE PUBLICATION every FOR ALL TABLES', 'SELECT pubname, puballtables FROM pg_publication'],
  [SLOT, SLOTS],
  [HIDDEN, 'TABLE bi.view'],
  [OTHER, 'SELECT note, id FROM notes LEFT JOIN "Games"" 2026" ON true'],
  [OWN, `SELECT noted(), games(now()::date), ttt_guard(), to_regclass('extra')::text AS index`],
  [RIGHTS, OPEN],
  [CLOSED, OPEN],
  ['CREATE SCHEMA AUTHORIZATION tictactoe_server CREATE TABLE n ()', 'TABLE tictactoe_server.n'],
];

/** What depends on the game, how the doctor and a restore name it, and what ends it. PostgreSQL itself names the tables. */
const IN_THE_WAY: [name: string, sql: string, end: string][][] = [
  [
    ['on view v', 'CREATE VIEW v AS TABLE player_stats', 'DROP VIEW v'],
    ['constraint fk on', 'CREATE TABLE f (of uuid CONSTRAINT fk REFERENCES players)', 'DROP TABLE f'],
    ['in publication copy', 'CREATE PUBLICATION copy FOR TABLE games', 'DROP PUBLICATION copy'],
    ['policy p on', 'CREATE POLICY p ON games', 'DROP POLICY p ON games'],
  ],
  [
    ['table child', 'CREATE TABLE child () INHERITS (games)', 'DROP TABLE child'],
    ['table n', 'CREATE TABLE n (of players)', 'DROP TABLE n'],
  ],
];

describeWithClient('docker/backup', () => {
  let postgres: Postgres;
  let server: Server;
  let player: Visitor;
  let folder: string;
  beforeAll(async () => {
    postgres = await startPostgres({ system: true, settings: { wal_level: 'logical' } });
    await asSuperuser(`CREATE ROLE tictactoe_server LOGIN PASSWORD 'c0ffee'`);
    await asSuperuser('CREATE DATABASE tictactoe OWNER tictactoe_server');
    // A restore finds our servers by their name, whatever the address says.
    server = await startServer({ databaseUrl: `${gameUrl()}?application_name=a&options=-c%20application_name%3Db` });
    player = await aSignedInVisitor(server);
    await playGame(server, player, { result: 'win' });
    await playGame(server, player, { result: 'draw' });
  });
  afterAll(async () => {
    await server.remove();
    await postgres.stop();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(process.env.TEST_FOLDER!, 'backups-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const gameUrl = (pathname = 'tictactoe') =>
    Object.assign(new URL(postgres.url), { username: 'tictactoe_server', password: 'c0ffee', pathname }).href;
  const asSuperuser = (sql: string) => execute(postgres.url, sql);
  const inRoot = (pathname: string, sql: string) =>
    execute(Object.assign(new URL(postgres.url), { pathname }).href, sql);
  const inGame = (sql: string) => execute(gameUrl(), sql);
  const create = (name: string, template = 'template0') =>
    asSuperuser(`CREATE DATABASE ${name} OWNER tictactoe_server TEMPLATE ${template}`);
  const files = () => readdirSync(folder).sort();
  const dataOf = (name: string) => Promise.all(DATA.map((sql) => inRoot(name, sql)));
  /** The data and all objects, with their owners and rights. */
  const contentOf = async (name: string) => [await dataOf(name), await inRoot(name, OBJECTS)];

  /** As the service of docker-compose.yml runs the script. */
  const options = (env: Record<string, string> = {}) => {
    const { hostname, port } = new URL(postgres.url);
    const login = { PGHOST: hostname, PGPORT: port, PGUSER: 'tictactoe_server', PGPASSWORD: 'c0ffee' };
    const PATH = `${client}${delimiter}${process.env.PATH}`;
    return { cwd: folder, env: { ...login, PGDATABASE: 'tictactoe', PATH, ...env } };
  };
  const backup = (words: string[], env?: Record<string, string>): Promise<Said> =>
    new Promise((done) => {
      execFile(SCRIPT, words, options(env), (error, said, complaint) =>
        done({ code: Number(error?.code ?? 0), said: said + complaint }),
      );
    });
  const saved = async (env?: Record<string, string>) => {
    const before = files();
    const { code, said } = await backup(['now'], env);
    expect([code, said]).toEqual([0, expect.stringContaining('has all data')]);
    return files().find((name) => !before.includes(name))!;
  };

  test('restores into an empty database too, and changes nothing with a damaged or cut file', async () => {
    // psql would run what is in its input.
    const file = 'a`touch ran`\n\\! touch ran\n.dump';
    renameSync(join(folder, await saved()), join(folder, file));
    const content = readFileSync(join(folder, file));
    expect(await backup(['restore', file])).toEqual({
      code: 1,
      said: expect.stringContaining('Servers use this database. Stop them first.'),
    });
    await create('elsewhere');
    const elsewhere = { PGDATABASE: 'elsewhere' };
    const names = () => inRoot('elsewhere', 'SELECT name FROM players');
    try {
      expect(await backup(['restore', file], elsewhere)).toMatchObject({ code: 0 });
      expect(files()).toEqual([file]);
      expect(await contentOf('elsewhere')).toEqual(await contentOf('tictactoe'));
      await inRoot('elsewhere', `UPDATE players SET name = 'Changed since'`);
      const damaged = Buffer.from(content);
      damaged[content.lastIndexOf(Buffer.from([0x78, 0x9c])) + 4]! ^= 1;
      for (const bad of [damaged, content.subarray(0, -1_000), Buffer.from('no backup'), Buffer.alloc(0)]) {
        writeFileSync(join(folder, 'bad.dump'), bad);
        const { code, said } = await backup(['restore', 'bad.dump'], elsewhere);
        expect([code, said]).toEqual([1, expect.stringMatching(/^(?![^]*no game)[^]*pg_restore: error/)]);
        expect(await names()).toEqual([{ name: 'Changed since' }]);
      }
      expect(await backup(['restore', 'missing.dump'], elsewhere)).toMatchObject({ code: 1 });
      for (const words of [['restor', file], ['restore'], ['--help']])
        expect(await backup(words)).toMatchObject({ code: 2 });
      expect(await names()).toEqual([{ name: 'Changed since' }]);
    } finally {
      await asSuperuser('DROP DATABASE elsewhere WITH (FORCE)');
    }
  });

  test('keeps the newest files, the new one in any case, and touches no other file but the old part of a killed backup', async () => {
    const own = ['2026-12-01T040000Z', '2026-12-02T040000Z'].map((at) => `tictactoe-${at}.dump`);
    // A wrong clock has given others later names.
    const later = ['2999-01-01T040000Z', '2999-01-02T040000Z'].map((at) => `tictactoe-${at}.dump`);
    const parts = [`${own[0]}.abcdefgh.part`, `${own[1]}.abcdefgh.part`] as const;
    const others = ['notes', 'tictactoe-2026-12-01.dump', 'tictactoe-2026-12-01T040000Z.dump.age', parts[1]];
    for (const name of [...own, ...later, ...others, parts[0]]) writeFileSync(join(folder, name), 'content');
    utimesSync(join(folder, parts[0]), 0, 0);
    for (const KEEP of ['x', '0', '-1']) expect(await backup(['now'], { KEEP })).toMatchObject({ code: 2 });
    const created = await saved({ KEEP: '2' });
    expect(files()).toEqual([later[1]!, created, ...others].sort());
  });

  test('fails with the reason, and leaves the older files and nothing else', async () => {
    const old = ['tictactoe-2026-12-01T040000Z.dump', 'tictactoe-2026-12-02T040000Z.dump'];
    for (const name of old) writeFileSync(join(folder, name), 'content');
    await inRoot('tictactoe', 'CREATE ROLE other; ALTER TABLE games OWNER TO other');
    try {
      const { code, said } = await backup(['now'], { KEEP: '1' });
      expect([code, said]).toEqual([1, expect.stringMatching(/pg_dump: error: .*games/)]);
      // So does the service, which Docker then starts again.
      for (const name of old) utimesSync(join(folder, name), 0, 0);
      expect(await backup([], { KEEP: '1' })).toMatchObject({ code: 1 });
    } finally {
      await inRoot('tictactoe', 'ALTER TABLE games OWNER TO tictactoe_server');
    }
    expect((await backup(['now'], { PGPASSWORD: 'wrong' })).said).toContain('password authentication failed');
    expect((await backup(['now'], { PGPASSWORD_FILE: '/nowhere' })).code).not.toBe(0);
    expect(files()).toEqual(old);
  });

  test('saves at once as a service, and leaves no half of a file under the name of a backup when it is killed', async () => {
    // A wrong clock has left a file of a later day, and somebody a file of another name.
    const others = ['tictactoe-2999-01-01T040000Z.dump', 'tictactoe-copy.dump'];
    for (const name of others) writeFileSync(join(folder, name), 'content');
    utimesSync(join(folder, others[0]!), 32_503_680_000, 32_503_680_000);
    const service = spawn(SCRIPT, { ...options(), stdio: 'ignore', detached: true });
    await eventually(
      async () =>
        files()
          .filter((name) => !others.includes(name))
          .map((name) => /Z\.dump$/.test(name)),
      [true],
    );
    const ended = once(service, 'close');
    process.kill(-service.pid!, 'SIGTERM');
    await ended;
    const old = files();
    const holder = new pg.Client(gameUrl());
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE games');
    const killed = spawn(SCRIPT, ['now'], { ...options(), stdio: 'ignore', detached: true });
    const dies = once(killed, 'close');
    await eventually(
      async () => (await inGame(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).length,
      1,
    );
    process.kill(-killed.pid!, 'SIGKILL');
    await dies;
    await holder.end();
    const [part] = files().filter((name) => !old.includes(name));
    expect(part).toMatch(/^tictactoe-.*\.part$/);
  });

  describe('beside others in the database', () => {
    const restore = (PGDATABASE: string, file: string, env?: Record<string, string>) =>
      backup(['restore', file], { PGDATABASE, ...env });
    const doctor = (name: string) =>
      tttWith({ DATABASE_URL: gameUrl(name), AUTH_SECRET: randomBytes(48).toString('base64') }, 'doctor', '--full');
    beforeAll(() => server.stop());
    afterEach(() => asSuperuser('DROP DATABASE IF EXISTS empty WITH (FORCE)'));

    test('the doctor and a restore, which changes nothing, name all that depends on the game', async () => {
      await create('empty', 'tictactoe');
      let file = '';
      for (const things of IN_THE_WAY) {
        for (const [, sql] of things) await inRoot('empty', sql);
        file = await saved({ PGDATABASE: 'empty' });
        const [advice, refused] = [await doctor('empty'), await restore('empty', file)];
        expect([advice.code, refused.code]).toEqual([0, 1]);
        for (const { said } of [advice, refused])
          for (const [name] of things) expect(said).toEqual(expect.stringContaining(name));
        for (const [, , end] of things) await inRoot('empty', end);
      }
      expect(await restore('empty', file)).toMatchObject({ code: 0 });
    });

    test('a superuser restores for the role of the server; also a dump of all, as of earlier versions, and no other', async () => {
      const { password } = new URL(postgres.url);
      const superuser = { PGUSER: 'postgres', PGPASSWORD: password };
      await create('super', 'tictactoe');
      await inRoot(
        'super',
        'CREATE EXTENSION citext; CREATE TABLE notes (note citext PRIMARY KEY); CREATE INDEX ON notes (note)',
      );
      await inRoot('super', 'CREATE VIEW n AS TABLE notes');
      const before = await contentOf('super');
      await inRoot('super', 'ALTER TABLE games OWNER TO pg_monitor');
      const dump = (...more: string[]) =>
        execFileSync(
          join(client!, 'pg_dump'),
          ['--format=custom', ...more],
          options({ PGDATABASE: 'super', ...superuser }),
        );
      dump('--file=whole.dump');
      for (const table of ['notes', 'migrations']) {
        dump('--file=other.dump', `--table=${table}`);
        expect(await restore('super', 'other.dump')).toEqual({ code: 1, said: 'This file has no game.\n' });
      }
      expect(await restore('super', 'whole.dump', superuser)).toMatchObject({ code: 0 });
      expect(await contentOf('super')).toEqual(before);
      await create('empty');
      await asSuperuser(`CREATE ROLE admin LOGIN PASSWORD 'c0ffee' IN ROLE tictactoe_server`);
      expect(await restore('empty', 'whole.dump', { PGUSER: 'admin' })).toMatchObject({ code: 0 });
      expect(await contentOf('empty')).toEqual(await contentOf('tictactoe'));
      expect(await doctor('empty')).toMatchObject({ code: 0, said: expect.stringMatching(/No problem\n$/) });
      await inRoot('empty', 'CREATE TABLE ttt_theirs ()');
      expect((await restore('empty', 'whole.dump')).said).toContain('others own ttt_theirs');
      await asSuperuser('DROP DATABASE empty WITH (FORCE)');
      await create('empty');
      await execute(gameUrl('empty'), 'CREATE TABLE players (id integer)');
      expect((await restore('empty', 'whole.dump')).said).toContain('Another program uses this database');
    });

    // The last one, as it leaves others in the database of the game.
    test('saves all data; its restore, which names who is in its way, brings back every sum and session, and leaves what others have', async () => {
      const alone = await contentOf('tictactoe');
      for (const [sql] of NEIGHBOURS) await inRoot('tictactoe', sql);
      const all = () => Promise.all(NEIGHBOURS.map(async ([, same]) => [same, await inRoot('tictactoe', same)]));
      const before = [await all(), await dataOf('tictactoe')];
      await inGame("UPDATE backups SET saved_at = now() - interval '2 days'");
      const file = await saved();
      const noted = "SELECT now() - saved_at < interval '1 minute' AS noted FROM backups";
      expect(await inGame(noted)).toEqual([{ noted: true }]);
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
      // Afterwards the data goes wrong, and a later version adds a table.
      await inGame('UPDATE player_stats SET draws = draws + 1; DELETE FROM games WHERE number = 2');
      await inGame('CREATE TABLE public.ttt_later (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY)');
      const wrong = await dataOf('tictactoe');
      const idle = new pg.Client({ connectionString: gameUrl(), application_name: 'forgotten' });
      await idle.connect();
      try {
        const { rows } = await idle
          .query<{ pid: number }>('BEGIN; SELECT FROM games; SELECT pg_backend_pid() AS pid')
          .then((results) => (results as unknown as (typeof results)[]).at(-1)!);
        const blocked = `database: process ${rows[0]!.pid} of tictactoe_server (forgotten). End them, or wait`;
        expect(await backup(['restore', file])).toEqual({ code: 1, said: expect.stringContaining(blocked) });
      } finally {
        await idle.end();
      }
      expect(await dataOf('tictactoe')).toEqual(wrong);

      expect(await backup(['restore', file])).toEqual({ code: 0, said: `The database has all data of ${file}.\n` });
      expect([await all(), await dataOf('tictactoe')]).toEqual(before);
      expect(await inGame(`SELECT FROM pg_class WHERE relname = 'ttt_later'`)).toEqual([]);
      await create('empty');
      expect(await restore('empty', file)).toMatchObject({ code: 0 });
      // An index of others belongs to its table.
      await inRoot('empty', 'DROP INDEX extra');
      expect(await contentOf('empty')).toEqual(alone);

      await server.restart();
      expect((await player.refresh()).status).toBe(200);
      expect((await aSignedInVisitor(server)).user.id).not.toBe(player.user!.id);
      await playGame(server, player, { result: 'win' });
      expect(await doctor('tictactoe')).toEqual({
        code: 0,
        said: expect.stringMatching(
          /^Recounts all games, about \d+\. A million take up to a minute\.\n[^]*of all 1 players are right\nNo problem\n$/,
        ),
      });
    });
  });
});
