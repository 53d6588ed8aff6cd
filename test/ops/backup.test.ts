import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { systemPrograms } from '../../scripts/machine/postgres.js';
import { deliver, inParallel, playUnsent, type Unsent } from '../support/load.js';
import { eventually } from '../support/page.js';
import { playGame } from '../support/play.js';
import { type Database, type Postgres, realPostgres, startPostgres } from '../support/postgres.js';
import { query, type Server, SHARED_SECRET, startServer } from '../support/server.js';
import { ttt, tttWith } from '../support/ttt.js';
import { aSignedInVisitor, type TokenAnswer, Visitor } from '../support/visitor.js';

/** pg_dump saves no server that is newer than itself, so the first server comes from the same package. */
const describeWithClient = systemPrograms() ? describe : describe.skip;
if (!systemPrograms()) process.stdout.write('SKIPPED: backup and restore need PostgreSQL with its client programs.\n');

const because = ['--operator', 'drill', '--reason', 'A drill'];

describeWithClient('a backup under load', () => {
  let postgres: Postgres;
  let server: Server;
  let restored: Database;
  let file: string;
  beforeAll(async () => {
    postgres = await startPostgres({ system: true });
    server = await startServer({ databaseUrl: postgres.url, direct: true, env: { AUTH_SECRET: SHARED_SECRET } });
    restored = await realPostgres().createDatabase();
    file = join(process.env.TEST_FOLDER!, 'drill.dump');
  });
  afterAll(async () => {
    await server.remove();
    await postgres.stop();
    await restored.drop();
  });

  test('has every game that was acknowledged before it, in a newer PostgreSQL, and the doctor finds no problem', async () => {
    const players = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => aSignedInVisitor(server, { name, email: `${name}@example.org` })),
    );
    const games = (await Promise.all(players.map((player) => playUnsent(player, 20)))).flat();
    await server.moveClock(10_000);
    const acknowledged: Unsent[] = [];
    const playing = inParallel(games, 3, async (game) => {
      const { answer } = await deliver(game, [server]);
      if (answer.__typename === 'GameCounted') acknowledged.push(game);
    });
    while (acknowledged.length < 20) await new Promise((later) => setTimeout(later, 5));
    const before = [...acknowledged];
    expect(await ttt(server, 'backup', file)).toMatchObject({ code: 0 });
    await playing;
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const target = { databaseUrl: restored.url, dataDir: server.dataDir };
    expect(await ttt(target, 'restore', file, ...because)).toMatchObject({ code: 0 });
    const second = await startServer({ databaseUrl: restored.url, env: { AUTH_SECRET: SHARED_SECRET } });
    try {
      const ids = await query<{ id: string }>(second, 'SELECT id::text FROM games');
      const stored = new Set(ids.map(({ id }) => id));
      const lost = before.filter(({ ticket }) => {
        return !stored.has(uuidOf(ticket.gameId));
      });
      expect(lost).toEqual([]);
      expect(await query(second, 'SELECT action, reason FROM audit')).toEqual([
        { action: 'database.restore', reason: 'A drill' },
      ]);
      // The page sends the other games again, and each counts once.
      const sender = { origin: second.origin };
      const cookie = await players[0]!.sessionCookie();
      const again = Object.assign(new Visitor(sender), { server: sender });
      const renewed = await again.refresh(cookie);
      expect(renewed.status).toBe(200);
      again.keep((await renewed.json()) as TokenAnswer);
      expect(await again.isSignedIn()).toBe(true);
      const settings = { DATABASE_URL: restored.url, AUTH_SECRET: randomBytes(48).toString('base64') };
      expect(await tttWith(settings, 'doctor', '--full')).toMatchObject({
        code: 0,
        said: expect.stringMatching(/No problem\n$/),
      });

      // The server and its players stand in the way of another restore.
      expect((await ttt(target, 'restore', file, ...because)).said).toMatch(/^Servers hold \d+ connections/);
    } finally {
      await second.remove();
    }
    expect((await ttt(target, 'restore', file, ...because)).said).toContain('not empty: it has players');
  });

  test('replaces the data only with --force, and a damaged file changes nothing', async () => {
    const target = { databaseUrl: restored.url, dataDir: server.dataDir };
    const damaged = join(process.env.TEST_FOLDER!, 'damaged.dump');
    writeFileSync(damaged, readFileSync(file).subarray(0, statSync(file).size - 2_000));
    const count = 'SELECT count(*)::integer AS players FROM players';
    const { code, said } = await ttt(target, 'restore', damaged, '--force', ...because);
    expect([code, said]).toEqual([1, expect.stringContaining('changed nothing')]);
    const on = { ...server, databaseUrl: restored.url };
    expect(await query(on, count)).toEqual([{ players: 3 }]);
    await query(on, `UPDATE players SET name = 'Changed since'`);
    expect(await ttt(target, 'restore', file, '--force', ...because)).toMatchObject({ code: 0 });
    expect(await query(on, `${count} WHERE name <> 'Changed since'`)).toEqual([{ players: 3 }]);
    rmSync(file);
  });
});

describeWithClient('backups in a folder', () => {
  const SCRATCH = 'tictactoe_ttt_scratch';
  const ROLE = 'tictactoe_server';
  let postgres: Postgres;
  let settings: Record<string, string>;
  let folder: string;
  beforeAll(async () => {
    postgres = await startPostgres({ system: true });
    await asSuperuser(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'c0ffee'`);
    await asSuperuser(`CREATE DATABASE tictactoe OWNER ${ROLE}`);
    settings = { DATABASE_URL: urlOf('tictactoe') };
    const server = await startServer({ databaseUrl: urlOf('tictactoe'), direct: true });
    await playGame(server, await aSignedInVisitor(server), { result: 'win' });
    await server.remove();
  });
  afterAll(() => postgres.stop());
  beforeEach(() => {
    folder = mkdtempSync(join(process.env.TEST_FOLDER!, 'backups-'));
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await asSuperuser(`ALTER ROLE ${ROLE} NOCREATEDB`);
    await asSuperuser(`DROP DATABASE IF EXISTS ${SCRATCH}`);
  });

  const urlOf = (database: string) =>
    Object.assign(new URL(postgres.url), { username: ROLE, password: 'c0ffee', pathname: database }).href;
  const asSuperuser = (sql: string, values?: unknown[]) => on(postgres.url, sql, values);
  const inGame = (sql: string, values?: unknown[]) => on(urlOf('tictactoe'), sql, values);
  const mayCreate = () => asSuperuser(`ALTER ROLE ${ROLE} CREATEDB`);
  const givesScratch = async () => {
    for (const [statement] of readFileSync('docker/server-scratch.sql', 'utf8').matchAll(/^[A-Z][^;]+;$/gm)) {
      await asSuperuser(statement);
    }
  };
  const files = () => readdirSync(folder).sort();
  const newest = () => join(folder, files().at(-1)!);
  const databases = async () =>
    (await asSuperuser(`SELECT datname FROM pg_database WHERE datname ~ '^tictactoe' ORDER BY 1`)).map(
      ({ datname }) => datname as string,
    );
  const backUp = async (...words: string[]) => {
    expect(await tttWith(settings, 'backup', '--folder', folder, ...words)).toMatchObject({ code: 0 });
    return newest();
  };
  const verify = (...words: string[]) => tttWith(settings, 'backup', 'verify', ...words);
  const entries = (action: string) =>
    inGame('SELECT operator, target, reason, after FROM audit WHERE action = $1 ORDER BY id DESC', [action]);
  /** The scratch database in the state of an empty one. */
  const tablesOfScratch = () =>
    on(urlOf(SCRATCH), `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`);

  test('have the time as their name, one owner, and an entry in the audit', async () => {
    const before = new Date();
    const file = await backUp();
    expect(files()).toEqual([expect.stringMatching(/^tictactoe-\d{4}-\d\d-\d\dT\d{6}Z\.dump$/)]);
    const time = /T(..)(..)(..)Z/.exec(file)!.slice(1).join(':');
    const at = new Date(`${file.slice(-23, -13)}T${time}Z`);
    expect(at.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1_000);
    expect(at.getTime()).toBeLessThanOrEqual(Date.now());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [entry] = await entries('backup.create');
    expect(entry).toEqual({
      operator: expect.any(String),
      target: files()[0],
      reason: 'Backup',
      after: { size: statSync(file).size, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    await tttWith(settings, '--operator', 'timer', 'backup', join(folder, 'x'), '--reason', 'Before the upgrade');
    expect((await entries('backup.create'))[0]).toMatchObject({
      operator: 'timer',
      target: 'x',
      reason: 'Before the upgrade',
    });
  });

  test('of the folder stay up to the number of --keep, and no other file is touched', async () => {
    const own = ['2026-12-01T040000Z', '2026-12-02T040000Z', '2026-12-03T040000Z'].map(
      (time) => `tictactoe-${time}.dump`,
    );
    const part = 'tictactoe-2026-12-03T040000Z.dump.0a1b2c3d.part';
    const runs = 'tictactoe-2026-12-04T040000Z.dump.0a1b2c3d.part';
    const others = ['game.dump', 'tictactoe-2026-12-01.dump', 'tictactoe-2026-12-01T040000Z.dump.gpg', 'notes'];
    for (const name of [...own, part, runs, ...others]) writeFileSync(join(folder, name), 'content');
    mkdirSync(join(folder, 'tictactoe-2026-11-30T040000Z.dump'));
    const yesterday = new Date(Date.now() - 24 * 60 * 60_000);
    utimesSync(join(folder, part), yesterday, yesterday);
    const before = files();

    const { code, said } = await tttWith(settings, 'backup', '--folder', folder, '--keep', '2');
    const [created] = files().filter((name) => !before.includes(name));
    expect(code).toBe(0);
    expect(before.filter((name) => !files().includes(name))).toEqual([own[0], own[1], part].sort());
    for (const name of [own[0]!, own[1]!, part]) expect(said).toContain(`Removed ${join(folder, name)}.`);
    expect(said).toContain(`${join(folder, created!)} has all data`);

    // A wrong clock has given others later names: the new one stays nevertheless.
    const later = ['2999-01-01T040000Z', '2999-01-02T040000Z'].map((time) => `tictactoe-${time}.dump`);
    for (const name of later) writeFileSync(join(folder, name), 'content');
    await backUp('--keep', '1');
    const left = files().filter((name) => name.endsWith('Z.dump') && statSync(join(folder, name)).isFile());
    expect(left).toEqual([expect.stringMatching(/^tictactoe-2/)]);
    expect(later).not.toContain(left[0]);
  });

  test('of before stay when the new one fails', async () => {
    const old = ['tictactoe-2026-12-01T040000Z.dump', 'tictactoe-2026-12-02T040000Z.dump'];
    for (const name of old) writeFileSync(join(folder, name), 'content');
    await asSuperuser('CREATE ROLE other');
    await on(
      postgres.url.replace(/\/postgres$/, '/tictactoe'),
      'CREATE TABLE hidden (); ALTER TABLE hidden OWNER TO other',
    );
    try {
      const { code, said } = await tttWith(settings, 'backup', '--folder', folder, '--keep', '1');
      expect([code, said]).toEqual([1, expect.stringMatching(/^There is no backup: pg_dump: .*hidden/)]);
      expect(files()).toEqual(old);
    } finally {
      await on(postgres.url.replace(/\/postgres$/, '/tictactoe'), 'DROP TABLE hidden');
    }
  });

  test.each([
    ['a missing folder', ['--folder', '/nowhere/backups'], /^There is no folder \/nowhere\/backups\. Mount its disk/],
    ['a file in a missing folder', ['/nowhere/game.dump'], /^There is no folder \/nowhere\./],
    ['a file below a file', ['/etc/passwd/game.dump'], /^There is no folder \/etc\/passwd\./],
    ['a file system without files', ['/proc/game.dump'], /^There is no backup: ENOENT/],
    ['a folder as the file', ['/tmp'], /^\/tmp exists already\. Name a new file, or a folder with --folder\.$/m],
    ['no place', [], /^Name a file, or a folder with --folder\./],
    ['two places', ['x.dump', '--folder', '/tmp'], /^Name a file or --folder, not both\./],
    ['a number without a folder', ['x.dump', '--keep', '3'], /^--keep is for the files of a folder/],
    ['no number', ['--folder', '/tmp', '--keep', '0'], /It must be a whole number from 1\./],
    ['a check of nothing', ['verify', '--folder', '/nowhere'], /^There is no folder \/nowhere\./],
    ['a check of a missing file', ['verify', '/nowhere.dump'], /^There is no file \/nowhere\.dump\./],
    ['a check of a folder', ['verify', '/tmp'], /^There is no file \/tmp\./],
    ['a check of another file', ['verify', 'package.json'], /^package\.json is not a backup of ttt backup\./],
  ])('%s gets a sentence and no stack trace', async (_name, words, sentence) => {
    const { code, said } = await tttWith(settings, 'backup', ...words);
    expect([code, said]).toEqual([1, expect.stringMatching(sentence)]);
    expect(said).not.toMatch(/^ +at /m);
  });

  test('that are made at the same time are all complete', async () => {
    await mayCreate();
    const both = [join(folder, 'one.dump'), join(folder, 'two.dump')];
    const done = await Promise.all([
      ...both.map((file) => tttWith(settings, 'backup', file)),
      tttWith(settings, 'backup', '--folder', folder, '--keep', '1'),
      tttWith(settings, 'backup', '--folder', folder, '--keep', '1'),
    ]);
    expect(done.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(files().filter((name) => name.endsWith('.part'))).toEqual([]);
    for (const name of files()) expect(await verify(join(folder, name))).toMatchObject({ code: 0 });
  });

  /** Runs the program, so that signals reach it alone. */
  function start(...words: string[]): { child: ChildProcess; said: () => string } {
    let said = '';
    const child = spawn(process.execPath, ['dist/bundle/ttt.js', ...words], {
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
    return { child, said: () => said };
  }

  /** While a transaction of the superuser is open, the program waits in the middle of its work. */
  async function whileBlocked(database: string, lock: string, work: () => Promise<void>): Promise<void> {
    const holder = new pg.Client(postgres.url.replace(/\/postgres$/, `/${database}`));
    await holder.connect();
    await holder.query(`BEGIN; ${lock}`);
    try {
      await work();
    } finally {
      await holder.query('ROLLBACK');
      await holder.end();
    }
  }
  const waiting = async (application: string) =>
    (
      await asSuperuser(`SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'`, [
        application,
      ])
    ).length > 0;
  const running = async (application: string) =>
    (await asSuperuser('SELECT FROM pg_stat_activity WHERE application_name = $1', [application])).length > 0;

  test('killed in the middle leave no file under the name of a backup; interrupted, they leave nothing', async () => {
    const old = await backUp();
    await whileBlocked('tictactoe', 'LOCK TABLE games', async () => {
      const { child } = start('backup', '--folder', folder, '--keep', '1');
      await eventually(() => waiting('pg_dump'), true);
      child.kill('SIGKILL');
      await once(child, 'close');
    });
    await eventually(() => running('pg_dump'), false);
    const part = files().filter((name) => name.endsWith('.part'));
    expect(part).toHaveLength(1);
    expect(files().filter((name) => !part.includes(name))).toEqual([old.slice(folder.length + 1)]);
    rmSync(join(folder, part[0]!));

    await whileBlocked('tictactoe', 'LOCK TABLE games', async () => {
      const { child, said } = start('backup', '--folder', folder, '--keep', '1');
      await eventually(() => waiting('pg_dump'), true);
      child.kill('SIGTERM');
      expect(await once(child, 'close')).toEqual([1, null]);
      expect(said()).toBe('Interrupted.\n');
    });
    expect(files()).toEqual([old.slice(folder.length + 1)]);
  });

  test('are verified in a database that the role creates and drops, also after a killed command', async () => {
    await mayCreate();
    await on(urlOf('postgres'), `CREATE DATABASE ${SCRATCH}`);
    await on(urlOf(SCRATCH), 'CREATE TABLE left_by_a_killed_command ()');
    const file = await backUp();
    const { code, said } = await tttWith(settings, '--operator', 'timer', 'backup', 'verify', '--folder', folder);
    expect([code, said]).toEqual([0, expect.stringContaining(`${file} is verified: `)]);
    expect(said).toMatch(/^ +1 {2}games$/m);
    expect(said).toMatch(/^ok {7}sums: the sums of 1 games of all 1 players are right$/m);
    expect(await databases()).toEqual(['tictactoe']);
    expect((await entries('backup.verify'))[0]).toEqual({
      operator: 'timer',
      target: file.slice(folder.length + 1),
      reason: 'Backup',
      after: { size: statSync(file).size, sha256: expect.any(String) },
    });
  });

  test('are verified in a database that the role was given, and leave it empty', async () => {
    await givesScratch();
    await backUp();
    expect(await verify('--folder', folder)).toMatchObject({ code: 0 });
    expect(await tablesOfScratch()).toEqual([]);

    // One of a killed command may be full.
    const file = newest();
    expect(await tttWith({ ...settings, DATABASE_URL: urlOf(SCRATCH) }, 'restore', file, ...because)).toMatchObject({
      code: 0,
    });
    expect(await verify(file)).toMatchObject({ code: 0 });
    expect(await tablesOfScratch()).toEqual([]);
  });

  test('are verified on another server too, whose database is empty', async () => {
    await asSuperuser(`CREATE DATABASE tictactoe_elsewhere OWNER ${ROLE}`);
    await mayCreate();
    try {
      const elsewhere = { DATABASE_URL: urlOf('tictactoe_elsewhere') };
      const { code, said } = await tttWith(elsewhere, 'backup', 'verify', await backUp());
      expect([code, said]).toEqual([0, expect.stringContaining('is verified')]);
      expect(said).toMatch(/^The audit has no entry about it: .*"audit" does not exist$/m);
    } finally {
      await asSuperuser('DROP DATABASE tictactoe_elsewhere');
    }
  });

  test('are not verified without a right, and the sentence has the statement that gives it', async () => {
    const file = await backUp();
    const { code, said } = await verify(file);
    expect(code).toBe(1);
    const [statement] = /CREATE DATABASE \S+ OWNER \w+;/.exec(said)!;
    await asSuperuser(statement);
    expect(await verify(file)).toMatchObject({ code: 0 });
  });

  test('are not verified when they are damaged, cut off or of a later version, and the scratch database goes', async () => {
    await mayCreate();
    const file = await backUp();
    const content = readFileSync(file);
    const flip = (at: number) => {
      const damaged = Buffer.from(content);
      damaged[at]! ^= 1;
      return damaged;
    };
    // The audit knows the file of this name, so each bit counts.
    for (const at of [5, 200, content.length >> 1, content.length - 1]) {
      writeFileSync(file, flip(at));
      expect(await verify(file)).toEqual({
        code: 1,
        said: expect.stringMatching(new RegExp(`^${file} is damaged: the audit has another checksum`)),
      });
    }
    writeFileSync(file, content.subarray(0, -1_000));
    expect((await verify(file)).said).toContain('is damaged');
    // However long ago the backup was made.
    await inGame(
      `INSERT INTO audit (at, operator, action, reason, player_id)
       SELECT now(), 'Ada', 'player.hide', 'test', gen_random_uuid() FROM generate_series(1, 10001)`,
    );
    expect((await verify(file)).said).toContain('is damaged');
    writeFileSync(file, content);
    expect(await verify(file)).toMatchObject({ code: 0 });

    const verified = await entries('backup.verify');
    // It knows nothing about a damaged copy, and a backup can contain any SQL.
    const copy = join(folder, 'copy.dump');
    for (const damaged of [flip(content.lastIndexOf(Buffer.from([0x78, 0x9c])) + 4), content.subarray(0, -1_000)]) {
      writeFileSync(copy, damaged);
      expect(await verify(copy)).toEqual({ code: 1, said: expect.stringContaining('The audit does not know') });
      expect(await verify(copy, '--unknown')).toEqual({
        code: 1,
        said: expect.stringMatching(new RegExp(`^The restore of ${copy} failed and changed nothing: .*pg_restore`)),
      });
    }
    expect(await databases()).toEqual(['tictactoe']);

    await inGame(`INSERT INTO migrations (timestamp, name) VALUES (4102444800000, 'OfTheFuture4102444800000')`);
    try {
      const { code, said } = await verify(await backUp());
      expect(code).toBe(1);
      expect(said).toMatch(/a later version has migrated the database: OfTheFuture4102444800000\n.* in that version\./);
    } finally {
      await inGame(`DELETE FROM migrations WHERE name ~ '^OfTheFuture'`);
    }
    expect(await entries('backup.verify')).toEqual(verified);
    expect(await databases()).toEqual(['tictactoe']);
  });

  test('with a wrong sum are not verified', async () => {
    await givesScratch();
    await inGame('UPDATE player_stats SET draws = draws + 1');
    try {
      const file = await backUp();
      const { code, said } = await verify(file);
      expect(code).toBe(1);
      expect(said).toMatch(/^PROBLEM {2}sums: the sums of 1 games of all 1 players differ: /m);
      expect(said).toContain(`${file} has these problems.`);
    } finally {
      await inGame('UPDATE player_stats SET draws = draws - 1');
    }
    expect(await tablesOfScratch()).toEqual([]);
  });

  test('whose check is interrupted, or runs twice, touch nothing but the scratch database', async () => {
    await givesScratch();
    const file = await backUp();
    const sums = await inGame('SELECT * FROM player_stats');
    // The restore waits for the end of this transaction: it makes the same table.
    await whileBlocked(SCRATCH, 'CREATE TABLE public.games ()', async () => {
      const { child, said } = start('backup', 'verify', file);
      await eventually(() => waiting('psql'), true);
      const second = await verify(file);
      expect(second).toEqual({ code: 1, said: expect.stringMatching(/^Another ttt backup verify uses/) });
      child.kill('SIGINT');
      expect(await once(child, 'close')).toEqual([1, null]);
      expect(said()).toBe('Interrupted.\n');
    });
    expect(await tablesOfScratch()).toEqual([]);
    expect(await inGame('SELECT * FROM player_stats')).toEqual(sums);
    expect(await verify(file)).toMatchObject({ code: 0 });
  });

  test('are restored in one piece: a killed restore changes nothing', async () => {
    await givesScratch();
    // More than a pipe holds, so that a part of it is still in the killed process.
    await inGame(
      `INSERT INTO audit (at, operator, action, reason) SELECT now(), 'Ada', 'test', repeat(n::text, 200) FROM generate_series(1000, 2000) n`,
    );
    const file = await backUp();
    const target = { ...settings, DATABASE_URL: urlOf(SCRATCH) };
    await tttWith(target, 'restore', file, ...because);
    await on(urlOf(SCRATCH), `UPDATE players SET name = 'Changed since'`);
    await whileBlocked(SCRATCH, 'LOCK TABLE players', async () => {
      const child = spawn(process.execPath, ['dist/bundle/ttt.js', 'restore', file, '--force', ...because], {
        env: { PATH: process.env.PATH, ...target },
        stdio: 'ignore',
      });
      await eventually(() => waiting('psql'), true);
      child.kill('SIGKILL');
      await once(child, 'close');
    });
    await eventually(() => running('psql'), false);
    expect(await on(urlOf(SCRATCH), 'SELECT name FROM players')).toEqual([{ name: 'Changed since' }]);
  });
});

async function on(url: string, sql: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** The last sixteen bytes of a public id. */
function uuidOf(id: string): string {
  const hex = Buffer.from(id, 'base64url').subarray(16).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
