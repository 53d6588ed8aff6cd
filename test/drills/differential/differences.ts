const EXAMPLES = 5;
/** How many characters of a value are shown before and after the place where it differs. */
const SHOWN = 200;

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
    const [first, second] = [JSON.stringify(one) ?? 'nothing', JSON.stringify(other) ?? 'nothing'];
    if (first === second) return;
    const at = placeOfDifference(first, second);
    const shown = (text: string) => text.slice(Math.max(0, at - SHOWN), at + SHOWN);
    this.add(kind, `${about}\n      other revision: … ${shown(first)} …\n      this revision:  … ${shown(second)} …`);
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

function placeOfDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
