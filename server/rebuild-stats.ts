/**
 * `npm run rebuild-stats`: recomputes the stats from all games and prints every difference from the stored stats. There
 * must be none.
 * In a container: `docker compose exec server node dist/server/rebuild-stats.js`.
 */
import { databaseOptions, openDatabase } from './database/data-source.js';
import { readEnv } from './env.js';
import { PlayerStats } from './stats/player-stats.entity.js';
import { PlayerWeek } from './stats/player-week.entity.js';
import { recompute } from './stats/rebuild.js';

async function main(): Promise<number> {
  const options = await databaseOptions(readEnv(process.env), 'maintenance');
  const database = await openDatabase({ ...options, entities: [PlayerStats, PlayerWeek] });
  try {
    const { players, games, stats, scores, days, weeks } = await recompute(database);
    for (const { key, stored, recomputed } of [...stats, ...days, ...weeks]) {
      process.stdout.write(`${key}: stored ${JSON.stringify(stored)}, recomputed ${JSON.stringify(recomputed)}\n`);
    }
    for (const { key, stored, recomputed } of scores) {
      process.stdout.write(`score ${key}: stored ${stored} players, recomputed ${recomputed} players\n`);
    }
    const differences = stats.length + scores.length + days.length + weeks.length;
    process.stdout.write(`${games} games of ${players} players: ${differences} differences\n`);
    return differences === 0 ? 0 : 1;
  } finally {
    await database.destroy();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
