import type { DataSource } from 'typeorm';
import { firstUnsettledBefore } from '../../challenge/unsettled-attempts.js';
import { givingWay, type Partition } from './archive-tables.js';
import { OperationError } from '../command-error.js';

/** One attempt to archive a partition. */
export interface Work {
  readonly database: DataSource;
  readonly partition: Partition;
  /** Where this command is no longer the newest one, it stops. */
  readonly attempt: string;
}

/** A game of the challenge that is not counted yet would be counted twice if it is archived first. */
export async function requireSettled({ database, partition }: Work): Promise<void> {
  const open = await firstUnsettledBefore(partition.until, database);
  if (!open) return;
  throw new OperationError(
    `The attempt of the player ${open.playerId} at the challenge of ${open.day} is not settled. ` +
      'A running server settles it within minutes: then run this again.',
  );
}

/**
 * From here on no game of the partition changes, and none is added. Only the deletion of an account takes some away.
 * @throws {OperationError} when some of its games are not back from their file
 */
export async function freeze({ database, partition: { name, until }, attempt }: Work): Promise<void> {
  await givingWay(database, async (transaction) => {
    const [archive] = await transaction.query<{ state: string; file: string }[]>(
      'SELECT state, file FROM archives WHERE partition = $1 FOR UPDATE',
      [name],
    );
    if (archive?.state === 'restoring') {
      throw new OperationError(
        `The restore of ${name} is not finished. Finish it first: ttt archive restore ${archive.file} ` +
          `(if the file is lost: ttt archive end-restore ${name})`,
      );
    }
    const [frozen] = await transaction.query<unknown[]>(
      `SELECT 1 FROM pg_constraint WHERE conrelid = $1::regclass AND conname = 'games_frozen'`,
      [name],
    );
    // It holds for rows that come or change from now on.
    if (!frozen) await transaction.query(`ALTER TABLE ${name} ADD CONSTRAINT games_frozen CHECK (false) NOT VALID`);
    await transaction.query(
      `INSERT INTO archives (partition, until, state, attempt) VALUES ($1, $2::date::timestamp AT TIME ZONE 'UTC', 'frozen', $3)
       ON CONFLICT (partition) DO UPDATE SET state = 'frozen', attempt = excluded.attempt`,
      [name, until, attempt],
    );
  });
}

/** After a failure games can be voided and recounted again. Sums that have been added know up to which game they go. */
export async function unfreeze({ database, partition: { name }, attempt }: Work): Promise<void> {
  await givingWay(database, async (transaction) => {
    const [own] = await transaction.query<{ file: string | null }[]>(
      `SELECT file FROM archives WHERE partition = $1 AND attempt = $2 AND state = 'frozen' FOR UPDATE`,
      [name, attempt],
    );
    if (!own) return;
    await transaction.query(`ALTER TABLE ${name} DROP CONSTRAINT games_frozen`);
    await transaction.query(
      own.file === null
        ? 'DELETE FROM archives WHERE partition = $1'
        : `UPDATE archives SET state = 'restored' WHERE partition = $1`,
      [name],
    );
  });
}
