import { getMetadataArgsStorage } from 'typeorm';

/** The fields of a row, with the types of their columns. */
export type Columns = Readonly<Record<string, string>>;

/** The columns of an entity. A statement in SQL names them, because it has no repository. */
export function columnsIn(entity: object): Columns {
  const columns = getMetadataArgsStorage().columns.filter(({ target }) => target === entity);
  return Object.fromEntries(
    columns.map(({ propertyName, options: { type, array } }) => [propertyName, `${String(type)}${array ? '[]' : ''}`]),
  );
}

/** The name of a column: `hardDraws` is `hard_draws`. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const columnsOf = (columns: Columns): string => Object.keys(columns).map(columnOf).join(', ');

/** The columns for a SELECT, named as the fields. A date as text has no time zone. */
export function select(columns: Columns, alias: string): string {
  return Object.entries(columns)
    .map(([field, type]) => `${alias}.${columnOf(field)}${type === 'date' ? '::text' : ''} AS "${field}"`)
    .join(', ');
}

/**
 * A source of rows from a JSON array whose objects have these fields.
 * @param of SQL: tables with a `player_id` that have the players whose rows count; all rows by default
 */
export function fromJson(json: string, columns: Columns, of?: string): string {
  const types = Object.entries(columns).map(([field, type]) => `"${field}" ${type}`);
  const selected = Object.keys(columns).map((field) => `"${field}" AS ${columnOf(field)}`);
  const rows = `(SELECT ${selected.join(', ')} FROM json_to_recordset(${json}) AS given (${types.join(', ')})) AS given`;
  return of ? `${of} JOIN ${rows} USING (player_id)` : rows;
}
