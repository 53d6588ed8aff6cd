import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemPrograms } from '../../scripts/machine/postgres.js';
import { deliver, inParallel, playUnsent, type Unsent } from '../support/load.js';
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

  test('of a version that cannot be taken over is refused, and changes nothing', async () => {
    const target = { databaseUrl: restored.url, dataDir: server.dataDir };
    const older = join(process.env.TEST_FOLDER!, 'older.dump');
    const moveMigrations = (by: number) => query(server, 'UPDATE migrations SET timestamp = timestamp + $1', [by]);
    await moveMigrations(-1_000_000_000_000);
    try {
      expect(await ttt(server, 'backup', older)).toMatchObject({ code: 0 });
    } finally {
      await moveMigrations(1_000_000_000_000);
    }
    const { code, said } = await ttt(target, 'restore', older, '--force', ...because);
    expect([code, said]).toEqual([1, expect.stringContaining('The backup is of a version before migration')]);
    const players = await query(
      { ...server, databaseUrl: restored.url },
      'SELECT count(*)::integer AS players FROM players',
    );
    expect(players).toEqual([{ players: 3 }]);
    rmSync(older);
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

/** The last sixteen bytes of a public id. */
function uuidOf(id: string): string {
  const hex = Buffer.from(id, 'base64url').subarray(16).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
