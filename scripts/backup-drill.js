/**
 * `npm run backup-drill -- 1000000`: saves a database with so many games while games are counted, verifies it, restores it into the
 * newest PostgreSQL here, and lets the doctor recount every player. Prints the seconds of each step.
 */
import './machine/node-version.js';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ensureBuilt } from './build/ensure-built.js';
import { countGame, fill, query, timed, tttOn } from './drills/database.js';
import { startPostgres } from './machine/postgres.js';

const BECAUSE = ['--operator', 'drill', '--reason', 'A drill'];

const games = Number(process.argv[2] ?? 1_000_000);
const PLAYERS_AT_A_TIME = 4;

await ensureBuilt({ parts: ['server'] });
const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-drill-'));
const file = join(folder, 'drill.dump');
const ttt = tttOn(folder);
const source = await startPostgres({ system: true });
const target = await startPostgres();
try {
  await ttt(source.url, 'migrate');
  await timed(`to make ${games} games`, () => fill(source.url, { games, until: 'now()', hoursBetween: 9 }));
  await timed('to compute their sums', () => ttt(source.url, 'stats', 'rebuild', '--repair', ...BECAUSE));
  const players = await query(source.url, `SELECT id FROM players LIMIT ${PLAYERS_AT_A_TIME}`);

  /** @type {string[]} */
  const acknowledged = [];
  let playing = true;
  const load = players.map(async ({ id }) => {
    const client = new pg.Client(source.url);
    await client.connect();
    while (playing) acknowledged.push(await countGame(client, String(id)));
    await client.end();
  });
  while (acknowledged.length < 100) await new Promise((later) => setTimeout(later, 10));
  const before = [...acknowledged];
  await timed('to back up, while games are counted', () => ttt(source.url, 'backup', file));
  playing = false;
  await Promise.all(load);
  console.log(`${String(acknowledged.length - before.length).padStart(8)}    games were counted meanwhile`);
  console.log(`${(statSync(file).size / 1e6).toFixed(0).padStart(8)} MB of backup`);
  await timed('to verify it in a scratch database', () => ttt(source.url, 'backup', 'verify', file));

  await timed('to restore', () => ttt(target.url, 'restore', file, ...BECAUSE));
  const found = await query(target.url, 'SELECT 1 FROM games WHERE id = ANY($1)', [before]);
  if (found.length !== before.length) throw new Error(`${before.length - found.length} acknowledged games are lost`);
  const said = await timed('to recount every player', () => ttt(target.url, 'doctor', '--full'));
  console.log(said);
} finally {
  await source.stop();
  await target.stop();
  rmSync(folder, { recursive: true });
}
