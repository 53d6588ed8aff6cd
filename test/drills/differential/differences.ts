const EXAMPLES = 5;

/** Where the two sides differ: for each kind the number of differences, and the first ones in words. */
export class Differences {
  private readonly kinds = new Map<string, { count: number; examples: string[] }>();

  add(kind: string, example: string): void {
    const known = this.kinds.get(kind) ?? { count: 0, examples: [] };
    known.count += 1;
    if (known.examples.length < EXAMPLES) known.examples.push(example);
    this.kinds.set(kind, known);
  }

  /** Adds a difference when the two values are not equal as JSON. */
  compare(kind: string, about: string, [one, other]: readonly [unknown, unknown]): void {
    const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
    if (first !== second) this.add(kind, `${about}\n      other revision: ${first}\n      this revision:  ${second}`);
  }

  summary(): string[] {
    return [...this.kinds].map(([kind, { count }]) => `${kind}: ${count} differences`);
  }

  lines(): string[] {
    return [...this.kinds].flatMap(([kind, { count, examples }]) => [
      `${kind}: ${count} differences`,
      ...examples.map((example) => `    ${example}`),
    ]);
  }
}
