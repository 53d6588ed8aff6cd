type Cell = string | number | boolean | Date | null | undefined | object;

/** Where a command reads its settings and writes its results. */
export class Terminal {
  exitCode = 0;

  constructor(
    readonly settings: Readonly<Record<string, string | undefined>>,
    private readonly write: (text: string) => void,
    readonly isInteractive: boolean,
  ) {}

  print(line: string): void {
    this.write(`${line}\n`);
  }

  printJson(value: unknown): void {
    this.print(JSON.stringify(value, null, 2));
  }

  /** Prints the rows as JSON, or in aligned columns. */
  printRows<Row extends object>(
    rows: readonly Row[],
    json: boolean | undefined,
    columns: readonly (keyof Row & string)[],
  ): void {
    if (json) return this.printJson(rows);
    const lines = [
      columns as readonly string[],
      ...rows.map((row) => columns.map((name) => textOf(row[name] as Cell))),
    ];
    const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
    for (const line of lines) {
      const cells = line.map((cell, at) => cell.padEnd(widths[at]!));
      this.print(cells.join('  ').trimEnd());
    }
  }

  /** Prints a line for each field; a list gets a line for each entry. */
  printFields(fields: object): void {
    for (const [name, value] of Object.entries(fields) as [string, Cell][]) {
      const values = Array.isArray(value) ? (value as Cell[]).map(inOneLine) : [textOf(value)];
      for (const text of values) this.print(`${name}: ${text}`);
    }
  }
}

function textOf(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function inOneLine(entry: Cell): string {
  if (typeof entry !== 'object' || entry === null) return textOf(entry);
  return Object.entries(entry)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${textOf(value as Cell)}`)
    .join(' ');
}
