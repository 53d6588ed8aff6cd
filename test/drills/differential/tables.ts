import type { Differences } from './differences.js';
import { onBoth, type Side, type Sides } from './side.js';

interface Compared {
  /** The columns that name a row. */
  readonly key: readonly string[];
  /** Columns whose text is another one: SQL. */
  readonly as?: Readonly<Record<string, string>>;
  /** Columns that are not compared. */
  readonly without?: readonly string[];
}

/** The operator's commands take this time from the database, whose clock runs. */
const isSet = (column: string) => ({ [column]: `(${column} IS NOT NULL)` });

const COMPARED: Readonly<Record<string, Compared>> = {
  players: { key: ['id'], as: { ...isSet('renamed_at'), ...isSet('hidden_at'), ...isSet('banned_at') } },
  identities: { key: ['issuer', 'subject'] },
  sessions: { key: ['id'], as: isSet('revoked_at') },
  // The id of a result that was reported without a key is random.
  games: {
    key: ['player_id', 'number'],
    as: { id: `CASE WHEN source = 'verified' OR id::text ~ '^.{14}8' THEN id END` },
  },
  voided_games: { key: ['player_id', 'id'] },
  // A revision may count the tries of a change there.
  player_stats: {
    key: ['player_id'],
    without: ['version'],
    // Before the first game it is the time at which an operator has hidden the player.
    as: { reached_at: 'CASE WHEN wins + losses + draws > 0 THEN reached_at END' },
  },
  player_weeks: { key: ['player_id', 'week'] },
  merged_players: { key: ['player_id', 'merged_id'] },
  archived_stats: { key: ['player_id'] },
  archived_weeks: { key: ['player_id', 'week'] },
  // The file has the random ids and a random name.
  archives: { key: ['partition'], without: ['attempt', 'file', 'sha256', 'archived_at'] },
  challenge_days: { key: ['day'] },
  challenge_attempts: { key: ['player_id', 'day'] },
  audit: {
    key: ['place'],
    without: ['id', 'at'],
    as: { after: `(after - 'file' - 'sha256')` },
  },
};

const NOT_COMPARED: Readonly<Record<string, string>> = {
  bans: 'its hashes have a random key: the players with a ban are compared',
  sealed_keys: 'the key of the bans is random',
  sign_in_codes: 'the drill writes them itself',
  sign_in_tries: 'nobody signs in',
  migrations: 'the history of the schema',
  score_changes: 'it is empty between two folds',
  score_totals: 'the API compares the standings',
  score_hundreds: 'the API compares the standings',
};

/** @returns what was not compared, in words */
export async function compareTables(sides: Sides, differences: Differences): Promise<string[]> {
  const [one, other] = await onBoth(sides, columnsOf);
  const notes: string[] = [];
  for (const table of new Set([...one.keys(), ...other.keys()])) {
    const [ours, theirs] = [other.get(table), one.get(table)];
    const compared = COMPARED[table];
    if (!ours || !theirs) notes.push(`table ${table}: only in ${ours ? 'this' : 'the other'} revision`);
    else if (compared) {
      const common = ours.filter((column) => theirs.includes(column));
      const alone = [...ours, ...theirs].filter((column) => !common.includes(column));
      if (alone.length > 0) notes.push(`table ${table}: only one revision has ${alone.join(', ')}`);
      await compareTable(sides, { table, columns: common, ...compared }, differences);
    } else if (NOT_COMPARED[table]) notes.push(`table ${table}: ${NOT_COMPARED[table]}`);
    else await compareCounts(sides, table, differences);
  }
  const banned = await onBoth(sides, (side) =>
    side.query('SELECT player_id, count(*)::integer AS bans FROM bans GROUP BY player_id ORDER BY player_id'),
  );
  differences.compare('table bans', 'the players with a ban', banned);
  return notes;
}

/** Without the partitions. */
async function columnsOf(side: Side): Promise<Map<string, string[]>> {
  const rows = await side.query<{ name: string; columns: string[] }>(
    `SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns
     FROM information_schema.columns JOIN pg_class ON oid = to_regclass(table_name)
     WHERE table_schema = 'public' AND relkind IN ('r', 'p') AND NOT relispartition GROUP BY table_name ORDER BY table_name`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

async function compareTable(
  sides: Sides,
  { table, columns, key, as = {}, without = [] }: Compared & { table: string; columns: readonly string[] },
  differences: Differences,
): Promise<void> {
  const values = columns.filter((column) => !without.includes(column));
  const place = table === 'audit' ? ', row_number() OVER (ORDER BY id) AS place' : '';
  const statement = `SELECT concat_ws(' ', ${key.join(', ')}) AS key, to_jsonb(ARRAY[${values
    .map((column) => `to_jsonb(${as[column] ?? column})`)
    .join(', ')}]) AS row FROM (SELECT *${place} FROM ${table}) AS stored`;
  const [one, other] = await onBoth(sides, async (side) => {
    const rows = await side.query<{ key: string; row: unknown[] }>(statement);
    return new Map(rows.map(({ key, row }) => [key, row]));
  });
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [first, second] = [one.get(name), other.get(name)];
    if (!first || !second) {
      differences.add(`table ${table}`, `${name}: only in ${first ? 'the other' : 'this'} revision`);
      continue;
    }
    for (const [at, column] of values.entries()) {
      differences.compare(`table ${table}, column ${column}`, name, [first[at], second[at]]);
    }
  }
}

/** A table that this drill does not know. */
async function compareCounts(sides: Sides, table: string, differences: Differences): Promise<void> {
  const counts = await onBoth(sides, (side) => side.query(`SELECT count(*)::integer AS rows FROM ${table}`));
  differences.compare(`table ${table}`, 'the number of rows; the drill knows no key of it', counts);
}
