import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DataSource, EntityManager } from 'typeorm';
import { type Authorization, writeAudit } from '../../moderation/audit.js';
import { gamesOf, sha256Of } from './archive-file.js';
import { existing, givingWay, insertGames, whileNoneIsDeleted } from './archive-tables.js';
import { OperationError } from '../command-error.js';

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
  const handle = await open(file);
  try {
    const archive = await archiveIn(database, handle, basename(file));
    if (!archive) {
      throw new OperationError(`${file} is not an archive of this database, or it is damaged. See: ttt archive list`);
    }
    await requireAway(database, archive);
    await createPartition(database, archive);
    const games = await bringBack(database, archive, handle);
    await finish(database, authorization, archive, { file: basename(file), games });
    return { partition: archive.partition, games };
  } finally {
    await handle.close();
  }
}

/** Files without games have the same checksum, so the name decides between them. */
async function archiveIn(database: DataSource, handle: FileHandle, name: string): Promise<Archive | undefined> {
  const sha256 = await sha256Of(handle);
  const same = (await archivesOf(database)).filter((one) => one.sha256 === sha256);
  return same.find(({ file }) => file === name) ?? same[0];
}

async function requireAway(database: DataSource, { partition, state, games }: Archive): Promise<void> {
  if (state === 'frozen') {
    throw new OperationError(`The games of ${partition} have not left the database yet. Finish it: ttt archive create`);
  }
  if (state !== 'restored') return;
  const [{ back }] = await database.query<[{ back: number }]>(`SELECT count(*)::integer AS back FROM ${partition}`);
  if (back >= Number(games)) {
    throw new OperationError(`The games of ${partition} are in the database already.`);
  }
  // The file of an ended restore has been found, or players have been deleted.
  await database.query(`UPDATE archives SET state = 'restoring' WHERE partition = $1 AND state = 'restored'`, [
    partition,
  ]);
}

async function createPartition(database: DataSource, { partition, until }: Archive): Promise<void> {
  await givingWay(database, async (transaction) => {
    const [own] = await transaction.query<{ state: string }[]>(
      'SELECT state FROM archives WHERE partition = $1 FOR UPDATE',
      [partition],
    );
    if (own?.state !== 'archived') return;
    const isFirst = partition.startsWith('games_before_');
    await transaction.query(
      `SELECT create_games_month($1, CASE WHEN $3 THEN NULL ELSE ($2::timestamptz AT TIME ZONE 'UTC' - interval '1 month') AT TIME ZONE 'UTC' END, $2)`,
      [partition, until, isFirst],
    );
    await transaction.query(`UPDATE archives SET state = 'restoring' WHERE partition = $1`, [partition]);
  });
}

/** @returns how many games are back */
async function bringBack(database: DataSource, archive: Archive, file: FileHandle): Promise<number> {
  let games = 0;
  for await (const page of gamesOf(file, PAGE)) {
    games += await whileNoneIsDeleted(database, async (transaction) => {
      await requireRestoring(transaction, archive);
      const ids = await existing(transaction, [...new Set(page.map(({ playerId }) => playerId))]);
      const kept = page.filter(({ playerId }) => ids.has(playerId));
      await insertGames(transaction, kept);
      return kept.length;
    });
  }
  return games;
}

async function finish(
  database: DataSource,
  authorization: Authorization,
  archive: Archive,
  after: { file: string; games: number },
): Promise<void> {
  const { partition } = archive;
  await database.transaction(async (transaction) => {
    await requireRestoring(transaction, archive, 'FOR UPDATE');
    await transaction.query(`UPDATE archives SET state = 'restored' WHERE partition = $1`, [partition]);
    await writeAudit(transaction, authorization, { action: 'games.restore', target: partition, after });
  });
}

/**
 * Ends a restore whose file is lost: the games that are back stay, and the month can be archived again.
 * @returns how many games are back, and how many the file had
 */
export async function endRestore(
  database: DataSource,
  authorization: Authorization,
  partition: string,
): Promise<{ back: number; archived: number }> {
  return database.transaction(async (transaction) => {
    const [own] = await transaction.query<{ file: string; games: string }[]>(
      `SELECT file, games FROM archives WHERE partition = $1 AND state = 'restoring' FOR UPDATE`,
      [partition],
    );
    if (!own)
      throw new OperationError(`No restore of ${partition} has begun, or it is finished. See: ttt archive list`);
    const [{ back }] = await transaction.query<[{ back: number }]>(
      `SELECT count(*)::integer AS back FROM ${partition}`,
    );
    await transaction.query(`UPDATE archives SET state = 'restored' WHERE partition = $1`, [partition]);
    const archived = Number(own.games);
    await writeAudit(transaction, authorization, {
      action: 'games.end-restore',
      target: partition,
      before: { file: own.file, games: archived },
      after: { games: back },
    });
    return { back, archived };
  });
}

/** Until the end of the transaction no other command changes the archive. */
async function requireRestoring(
  transaction: EntityManager,
  { partition, sha256 }: Archive,
  lock: 'FOR SHARE' | 'FOR UPDATE' = 'FOR SHARE',
): Promise<void> {
  const own = await transaction.query<unknown[]>(
    `SELECT 1 FROM archives WHERE partition = $1 AND sha256 = $2 AND state = 'restoring' ${lock}`,
    [partition, sha256],
  );
  if (own.length === 0) {
    throw new OperationError(`Another command has restored or archived ${partition} meanwhile. See: ttt archive list`);
  }
}
