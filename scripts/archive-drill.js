/**
 * `npm run archive-drill -- 1000000`: archives so many games of five months, recounts every player, and brings the games back
 * for reading. Prints the seconds of each step.
 */
import './machine/node-version.js';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build/ensure-built.js';
import { fill, query, timed, tttOn } from './drills/database.js';
import { startPostgres } from './machine/postgres.js';
import { ROOT } from './machine/run.js';

const games = Number(process.argv[2] ?? 1_000_000);
/** The time of the last game: `--keep 2` archives every month before the previous one. */
const UNTIL = `date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '1 month' - interval '1 hour'`;
const REASON = ['--operator', 'drill', '--reason', 'A drill'];

await ensureBuilt({ parts: ['server'] });
// The folder for temporary files may be in memory.
const folder = mkdtempSync(join(ROOT, 'dist', 'archive-drill-'));
const ttt = tttOn(folder);
const database = await startPostgres();
const { url } = database;
const size = async () => {
  const [row] = await query(url, 'SELECT pg_database_size(current_database()) / 1000000 AS mb');
  return `${String(row?.mb).padStart(8)} MB of database`;
};
try {
  await ttt(url, 'migrate');
  await timed(`to make ${games} games`, () => fill(url, { games, until: UNTIL, hoursBetween: 36 }));
  await timed('to compute their sums', () => ttt(url, 'stats', 'rebuild', '--repair', ...REASON));
  console.log(await size());
  await timed('to archive them', () => ttt(url, 'archive', 'create', folder, '--keep', '2', ...REASON));
  const files = readdirSync(folder).filter((file) => file.endsWith('.gz'));
  const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  console.log(`${(bytes / 1e6).toFixed(0).padStart(8)} MB in ${files.length} files`);
  console.log(await size());
  if ((await query(url, 'SELECT 1 FROM games LIMIT 1')).length > 0) throw new Error('Games are left in the database');
  console.log(await timed('to recount every player from the sums', () => ttt(url, 'stats', 'rebuild')));
  await timed('to restore all files', async () => {
    for (const file of files) await ttt(url, 'archive', 'restore', join(folder, file), ...REASON);
  });
  console.log(await timed('to recount every player with all games', () => ttt(url, 'stats', 'rebuild')));
} finally {
  await database.stop();
  rmSync(folder, { recursive: true });
}
