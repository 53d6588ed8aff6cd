import { databaseOptions, loadedEntities } from '../../server/database/data-source.js';
import { deleteAccount } from '../../server/account/account.service.js';
import { Identity } from '../../server/auth/players/identity.entity.js';
import { openDatabase } from '../../server/database/migrate.js';
import { readEnv } from '../../server/settings/env.js';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';
import { aFinishedGame } from './finished-game.js';
import { aPlayer, BUILDER } from './player.js';

/** One letter for each game: w won, l lost, d drawn. */
const PEOPLE: readonly (readonly [name: string, games: string])[] = [
  ['Grace Hopper', 'wwwdwwwwdlwwwwdwww'],
  ['Alan Turing', 'wwwlwwwdwwwdww'],
  ['Katherine Johnson', 'wwwdwwwdwww'],
  ['Edsger Dijkstra', 'wwdwwdwwwlww'],
  ['Barbara Liskov', 'wwwdwwldww'],
  ['Donald Knuth', 'wwdwwdwdwd'],
  ['Margaret Hamilton', 'wwwlwldw'],
  ['Dennis Ritchie', 'wdwlwdw'],
  ['Radia Perlman', 'wwdld'],
  ['Ken Thompson', 'wdlw'],
  ['Frances Allen', 'wd'],
  ['Tony Hoare', 'dld'],
];
const RESULTS: Readonly<Record<string, Result>> = { w: 'win', l: 'lose', d: 'draw' };

/** Nobody wins against the hard bot, so wins alternate between the other two. */
function difficultyOf(result: Result, at: number): Difficulty {
  if (result === 'win') return at % 2 === 0 ? 'easy' : 'medium';
  return result === 'draw' ? 'hard' : 'medium';
}

async function fill(): Promise<void> {
  const env = readEnv(process.env);
  if (env.production) throw new Error('The demo players are for development: NODE_ENV must not be production.');
  const database = await openDatabase({ ...(await databaseOptions(env, 'maintenance')), entities: loadedEntities() });
  const now = Date.now();
  await database.transaction(async (transaction) => {
    const query = (sql: string, values?: unknown[]) => transaction.query(sql, values);
    // A second run replaces the same people.
    for (const { playerId } of await transaction.getRepository(Identity).findBy({ issuer: BUILDER })) {
      await deleteAccount(transaction, playerId);
    }
    for (const [name, games] of PEOPLE) {
      const player = await aPlayer(query, { name, provider: name.length % 2 ? 'google' : 'github' });
      for (const [at, letter] of [...games].entries()) {
        const result = RESULTS[letter]!;
        const finishedAt = new Date(now - (games.length - at) * 60_000);
        await aFinishedGame(query, player, { result, difficulty: difficultyOf(result, at), at: finishedAt });
      }
      await query('DELETE FROM sessions WHERE player_id = $1', [player.id]);
    }
  });
  await database.destroy();
}

try {
  await fill();
  process.stdout.write(`${PEOPLE.length} demo players are on the leaderboard.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
