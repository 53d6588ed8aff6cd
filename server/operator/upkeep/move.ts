import type { DataSource, EntityManager } from 'typeorm';
import { OperationError } from '../command-error.js';

/** Rows of one statement. */
const BATCH = 2_000;

interface Column {
  readonly name: string;
  readonly type: string;
}

/** How many rows were copied. */
export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
}

/** The tables with our rows. */
export const TABLES = `
  SELECT c.oid::regclass::text AS name,
    array(SELECT confrelid::regclass::text FROM pg_constraint
      WHERE conrelid = c.oid AND contype = 'f' AND confrelid <> c.oid) AS "refersTo"
  FROM pg_class c
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migrations'
  ORDER BY 1`;

const COLUMNS = `
  SELECT quote_ident(attname) AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  ORDER BY attname`;

/**
 * Copies all rows into an empty database of the same schema: one snapshot of the source, one transaction of the target.
 * All values travel as text, which keeps every type exact.
 */
export function copyData(source: DataSource, target: DataSource): Promise<CopiedTable[]> {
  return source.transaction('REPEATABLE READ', (from) =>
    target.transaction(async (to) => {
      for (const side of [from, to]) await side.query(`SET LOCAL timezone = 'UTC'`);
      const tables = inOrder(await to.query<{ name: string; refersTo: string[] }[]>(TABLES));
      await requireEmpty(to, tables);
      await createPartitions(from, to);
      const copied: CopiedTable[] = [];
      for (const table of tables) copied.push({ table, rows: await copyTable(table, from, to) });
      await setSequences(to);
      return copied;
    }),
  );
}

/** A table comes after the tables that it refers to. */
function inOrder(tables: readonly { name: string; refersTo: readonly string[] }[]): string[] {
  const ordered: string[] = [];
  while (ordered.length < tables.length) {
    const next = tables.find(
      ({ name, refersTo }) => !ordered.includes(name) && refersTo.every((other) => ordered.includes(other)),
    );
    if (!next) throw new Error('The foreign keys of the tables form a circle');
    ordered.push(next.name);
  }
  return ordered;
}

async function requireEmpty(to: EntityManager, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const rows = await to.query<unknown[]>(`SELECT FROM ${table} LIMIT 1`);
    if (rows.length > 0)
      throw new OperationError(`The target is not empty: ${table} has rows. Name an empty database.`);
  }
}

/** Gives the target the partitions of the source. */
async function createPartitions(from: EntityManager, to: EntityManager): Promise<void> {
  const partitions = await from.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid
     WHERE inhparent = 'games'::regclass AND relname ~ '\\d{4}_\\d\\d$' ORDER BY relname`,
  );
  for (const { name } of partitions) {
    const month = `${name.slice(-7).replace('_', '-')}-01T00:00:00Z`;
    if (name.startsWith('games_before_')) await createEarlierPartition(to, name, month);
    else await to.query('SELECT create_games_months($1)', [month]);
  }
}

async function createEarlierPartition(to: EntityManager, name: string, until: string): Promise<void> {
  const empty = await to.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid
     WHERE inhparent = 'games'::regclass AND relname ~ '^games_\\d{4}_\\d\\d$' AND to_date(right(relname, 7), 'YYYY_MM') < $1`,
    [until],
  );
  for (const { name: partition } of empty) await to.query(`DROP TABLE ${partition}`);
  await to.query('SELECT create_games_month($1, NULL, $2)', [name, until]);
}

async function copyTable(table: string, from: EntityManager, to: EntityManager): Promise<number> {
  const columns = await to.query<Column[]>(COLUMNS, [table]);
  const given = await from.query<Column[]>(COLUMNS, [table]);
  if (JSON.stringify(columns) !== JSON.stringify(given)) throw new Error(`${table} has other columns in the target`);
  const names = columns.map(({ name }) => name).join(', ');
  const insert = `
    INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${columns.map(({ type }, at) => `c${at}::${type}`).join(', ')}
    FROM unnest(${columns.map((_, at) => `$${at + 1}::text[]`).join(', ')}) AS given (${columns.map((_, at) => `c${at}`).join(', ')})`;
  await from.query(
    `DECLARE copied NO SCROLL CURSOR FOR SELECT ${columns.map(({ name }, at) => `${name}::text AS c${at}`).join(', ')} FROM ${table}`,
  );
  let rows = 0;
  for (;;) {
    const page = await from.query<Record<string, string | null>[]>(`FETCH ${BATCH} FROM copied`);
    if (page.length === 0) break;
    await to.query(
      insert,
      columns.map((_, at) => page.map((row) => row[`c${at}`])),
    );
    rows += page.length;
  }
  await from.query('CLOSE copied');
  return rows;
}

/** The next entry of a table with numbered rows follows the copied ones. */
async function setSequences(to: EntityManager): Promise<void> {
  const columns = await to.query<{ table: string; column: string; sequence: string }[]>(
    `SELECT attrelid::regclass::text AS "table", quote_ident(attname) AS "column",
       pg_get_serial_sequence(attrelid::regclass::text, attname) AS sequence
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = 'public'::regnamespace AND attidentity <> ''`,
  );
  for (const { table, column, sequence } of columns) {
    await to.query(`SELECT setval('${sequence}', max(${column})) FROM ${table} HAVING max(${column}) IS NOT NULL`);
  }
}
