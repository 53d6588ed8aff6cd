import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DataSource, EntityManager } from 'typeorm';
import { type Authorization, writeAudit } from '../../moderation/audit.js';
import { ArchiveWriter, type FileSums, requireDisk, writeManifest } from './archive-file.js';
import { freeze, requireSettled, unfreeze, type Work } from './archive-freeze.js';
import { type Added, addToArchive, archivable, type ArchivedGame, type ArchivedSums } from './add-to-archive.js';
import {
  existing,
  GAME,
  givingWay,
  insertGames,
  type Partition,
  partitionsBefore,
  readSums,
  whileNoneIsDeleted,
  writeSums,
} from './archive-tables.js';
import { OperationError } from '../command-error.js';

/** Games of one page. */
const PAGE = 5_000;

/** The limits, this week and the history of a player need the month before this one. */
export const FEWEST_MONTHS = 2;

/** A month that has left the database. */
interface Archived extends FileSums {
  readonly partition: string;
  readonly file: string;
  readonly players: number;
}

/**
 * Writes the games of all months before the newest ones into files, adds them to the sums of archived games, and takes them
 * out of the database, one month after the other.
 *
 * After a crash the next command begins the month again, and ends in the same state: the games leave the database in the
 * last transaction, and each player's sums know up to which game they go.
 * @param months how many months stay, with the current one
 */
export async function* archiveMonths(
  database: DataSource,
  authorization: Authorization,
  { folder, months }: { folder: string; months: number },
): AsyncGenerator<Archived> {
  requireDisk(folder);
  for (const partition of await partitionsBefore(database, months - 1)) {
    const work = { database, partition, attempt: randomUUID() };
    await requireSettled(work);
    const { left, strays, ...archived } = await freezeAndWrite(work, folder);
    await takeOut(work, authorization, { archived, left, strays });
    yield archived;
  }
}

async function freezeAndWrite(work: Work, folder: string): Promise<Archived & WrittenOut> {
  const { database, partition } = work;
  try {
    await freeze(work);
    const { left, strays, ...archived } = await writeOut(work, folder);
    const schema = await newestMigration(database);
    writeManifest(join(folder, archived.file), { format: 1, ...archived, until: partition.until, schema });
    return { ...archived, left, strays };
  } catch (error) {
    // Without a connection the month stays frozen until the next command; the first error tells more.
    await unfreeze(work).catch(() => undefined);
    throw error;
  }
}

interface WrittenOut {
  /** Games that cannot be archived yet, because an earlier game of their player stays. */
  readonly left: readonly ArchivedGame[];
  /** How many of the games lie in games_default. */
  readonly strays: number;
}

/** Writes all games of the partition into a file, and adds them to the sums of their players, page by page. */
async function writeOut(work: Work, folder: string): Promise<Archived & WrittenOut> {
  const { database, partition, attempt } = work;
  const writer = new ArchiveWriter(folder, partition.name, attempt);
  const left: ArchivedGame[] = [];
  let players = 0;
  for await (const page of playersOf(work)) {
    const games = await whileNoneIsDeleted(database, async (transaction) => {
      const pageOut = await archivePage(transaction, page, partition);
      left.push(...pageOut.left);
      players += pageOut.players;
      return pageOut.games;
    });
    writer.write(games);
  }
  const [{ strays }] = await database.query<[{ strays: number }]>(
    'SELECT count(*)::integer AS strays FROM games_default WHERE finished_at < $1',
    [startOf(partition)],
  );
  return { partition: partition.name, ...(await writer.finish()), players, left, strays };
}

/** The games of the partition in pages; all games of one player are in the same page. */
async function* playersOf({ database, partition }: Work): AsyncGenerator<Map<string, ArchivedGame[]>> {
  let players = new Map<string, ArchivedGame[]>();
  let last: (ArchivedGame & { position: string }) | undefined;
  for (;;) {
    const page: (ArchivedGame & { position: string })[] = await database.query(
      `SELECT ${GAME}, finished_at::text AS position FROM games
       WHERE finished_at < $1 AND (player_id, games.finished_at, number) > ($2, $3, $4)
       ORDER BY player_id, games.finished_at, number LIMIT ${PAGE}`,
      [
        startOf(partition),
        last?.playerId ?? '00000000-0000-0000-0000-000000000000',
        last?.position ?? '-infinity',
        last?.number ?? 0,
      ],
    );
    for (const game of page.map(({ position: _, ...row }): ArchivedGame => row)) {
      const games = players.get(game.playerId);
      if (games) games.push(game);
      else players.set(game.playerId, [game]);
    }
    last = page.at(-1);
    if (!last || page.length < PAGE) break;
    // The next page may have more games of this player.
    const unfinished = players.get(last.playerId)!;
    players.delete(last.playerId);
    if (players.size > 0) yield players;
    players = new Map([[last.playerId, unfinished]]);
  }
  if (players.size > 0) yield players;
}

/** Adds the games of a page to the sums of their players. @returns the games for the file, and those that must stay */
async function archivePage(
  transaction: EntityManager,
  page: ReadonlyMap<string, ArchivedGame[]>,
  partition: Partition,
): Promise<{ games: ArchivedGame[]; left: ArchivedGame[]; players: number }> {
  const ids = await existing(transaction, [...page.keys()]);
  const before = await readSums(transaction, [...ids]);
  const games: ArchivedGame[] = [];
  const left: ArchivedGame[] = [];
  const added = new Map<string, Added>();
  for (const id of ids) {
    const own = page.get(id)!.sort((one, other) => one.number - other.number);
    const sums = before.get(id);
    const count = archivable(
      own.map(({ number }) => number),
      hasGap(sums, own) ? await firstLater(transaction, id, sums, partition) : null,
    );
    const chosen = own.slice(0, count);
    games.push(...chosen);
    left.push(...own.slice(count));
    const news = chosen.filter(({ number }) => number > (sums?.upTo ?? 0));
    if (news.length > 0) added.set(id, addToArchive(sums, news));
  }
  await writeSums(transaction, added);
  return { games, left, players: ids.size };
}

/** Whether a number is missing. It may belong to a game that stays; most gaps come from a merge. */
function hasGap(sums: ArchivedSums | undefined, games: readonly ArchivedGame[]): boolean {
  const first = sums?.upTo ?? 0;
  const news = games.filter(({ number }) => number > first);
  return news.length > 0 && news.at(-1)!.number !== first + news.length;
}

/** The lowest number of the games that stay. */
async function firstLater(
  transaction: EntityManager,
  playerId: string,
  sums: ArchivedSums | undefined,
  partition: Partition,
): Promise<number | null> {
  const [{ first }] = await transaction.query<[{ first: number | null }]>(
    'SELECT min(number) AS first FROM games WHERE player_id = $1 AND finished_at >= $2 AND number > $3',
    [playerId, startOf(partition), sums?.upTo ?? 0],
  );
  return first;
}

/** Drops the partition. Games that stay go to games_default, until the next month is archived. */
async function takeOut(
  { database, partition: { name }, attempt }: Work,
  authorization: Authorization,
  { archived, left, strays }: { archived: Archived } & WrittenOut,
): Promise<void> {
  const { file, sha256, games, players } = archived;
  await givingWay(database, async (transaction) => {
    const [own] = await transaction.query<unknown[]>(
      `SELECT 1 FROM archives WHERE partition = $1 AND attempt = $2 AND state = 'frozen' FOR UPDATE`,
      [name, attempt],
    );
    if (!own) throw new OperationError(`Another command archives ${name}. This one has changed nothing there.`);
    await transaction.query(`ALTER TABLE games DETACH PARTITION ${name}`);
    // An account may have been deleted since.
    const ids = await existing(transaction, [...new Set(left.map(({ playerId }) => playerId))]);
    await insertGames(
      transaction,
      left.filter(({ playerId }) => ids.has(playerId)),
    );
    if (strays > 0) await transaction.query(DROP_STRAYS);
    await transaction.query(`DROP TABLE ${name}`);
    await transaction.query(
      `UPDATE archives SET state = 'archived', file = $2, sha256 = $3, games = $4, players = $5, archived_at = now()
       WHERE partition = $1`,
      [name, file, sha256, games, players],
    );
    await writeAudit(transaction, authorization, {
      action: 'games.archive',
      target: name,
      after: { file, sha256, games, players },
    });
  });
}

const DROP_STRAYS = `
  DELETE FROM games_default d USING archived_stats a WHERE a.player_id = d.player_id AND d.number <= a.up_to`;

async function newestMigration(database: DataSource): Promise<string> {
  const [{ name }] = await database.query<[{ name: string }]>('SELECT name FROM migrations ORDER BY id DESC LIMIT 1');
  return name;
}

const startOf = ({ until }: Partition) => `${until}T00:00:00Z`;
