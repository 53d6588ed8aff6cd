import { basename } from 'node:path';
import type { DataSource } from 'typeorm';
import { type Authorization, writeAudit } from '../moderation/audit.js';
import { gamesOf, sha256Of } from './archive-file.js';
import { existing, givingWay, insertGames, whileNoneIsDeleted } from './archive-tables.js';
import { OperationError } from './operation-error.js';

const PAGE = 2_000;

/** An entry of the table `archives`. */
interface Archive {
  readonly partition: string;
  readonly until: Date;
  readonly state: 'frozen' | 'archived' | 'restoring' | 'restored';
  readonly file: string | null;
  readonly sha256: string | null;
  /** A bigint arrives as text. */
  readonly games: string | null;
  readonly players: string | null;
}

/** All archives, the oldest first. */
export function archivesOf(database: DataSource): Promise<Archive[]> {
  return database.query<Archive[]>(
    'SELECT partition, until, state, file, sha256, games, players FROM archives ORDER BY until',
  );
}

/**
 * Brings the games of an archive back for reading: the sums of archived games keep them, so they count no second time. The
 * games of deleted accounts stay away. After a crash the command goes on.
 */
export async function restoreArchive(
  database: DataSource,
  authorization: Authorization,
  file: string,
): Promise<{ partition: string; games: number }> {
  const sha256 = await sha256Of(file);
  const archive = (await archivesOf(database)).find((one) => one.sha256 === sha256);
  if (!archive) {
    throw new OperationError(`${file} is not an archive of this database, or it is damaged. See: ttt archive list`);
  }
  const { partition, until, state } = archive;
  if (state === 'frozen') {
    throw new OperationError(`The games of ${partition} have not left the database yet. Finish it: ttt archive create`);
  }
  if (state === 'restored') throw new OperationError(`The games of ${partition} are in the database already.`);
  if (state === 'archived') await createPartition(database, partition, until);
  let games = 0;
  for await (const page of gamesOf(file, PAGE)) {
    games += await whileNoneIsDeleted(database, async (transaction) => {
      const ids = await existing(transaction, [...new Set(page.map(({ playerId }) => playerId))]);
      const kept = page.filter(({ playerId }) => ids.has(playerId));
      await insertGames(transaction, kept);
      return kept.length;
    });
  }
  await database.transaction(async (transaction) => {
    await transaction.query(`UPDATE archives SET state = 'restored' WHERE partition = $1 AND state = 'restoring'`, [
      partition,
    ]);
    await writeAudit(transaction, authorization, {
      action: 'games.restore',
      target: partition,
      after: { file: basename(file), games },
    });
  });
  return { partition, games };
}

async function createPartition(database: DataSource, partition: string, until: Date): Promise<void> {
  await givingWay(database, async (transaction) => {
    const isFirst = partition.startsWith('games_before_');
    await transaction.query(
      `SELECT create_games_month($1, CASE WHEN $3 THEN NULL ELSE ($2::timestamptz AT TIME ZONE 'UTC' - interval '1 month') AT TIME ZONE 'UTC' END, $2)`,
      [partition, until, isFirst],
    );
    // The ids of games from before the months do not name their player.
    if (isFirst) await transaction.query(`CREATE INDEX ON ${partition} (id)`);
    await transaction.query(`UPDATE archives SET state = 'restoring' WHERE partition = $1`, [partition]);
  });
}
