type Cell = string | number | boolean | Date | null | undefined | object;

const isPlain = (value: Cell): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Array.isArray(value);

function textOf(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Prints the rows in aligned columns. */
export function printTable<Row extends object>(rows: readonly Row[], columns: readonly (keyof Row & string)[]): void {
  const lines = [columns as readonly string[], ...rows.map((row) => columns.map((name) => textOf(row[name] as Cell)))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  for (const line of lines)
    print(
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    );
}

/** Prints a field on each line; a list gets a line for each entry. */
export function printFields(fields: object): void {
  for (const [name, value] of Object.entries(fields) as [string, Cell][]) {
    if (!Array.isArray(value)) print(`${name}: ${textOf(value)}`);
    else for (const entry of value as Cell[]) print(`${name}: ${isPlain(entry) ? inOneLine(entry) : textOf(entry)}`);
  }
}

function inOneLine(entry: object): string {
  return Object.entries(entry)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${textOf(value as Cell)}`)
    .join(' ');
}
