export type Variables = Readonly<Record<string, string | undefined>>;

/** Shorter names, such as PORT, are near to names of other programs. */
const SHORTEST = 8;

/** A plural, such as TRUST_PROXIES, is three letters away; a short name has fewer to change. */
const mostChanges = (name: string) => Math.min(3, Math.round(name.length / 4));

/**
 * Names of the environment that are one slip away from a setting that is not set. All others belong to other programs.
 * @returns a sentence about each
 */
export function nearMisses(source: Variables, settings: readonly string[]): string[] {
  // A secret has two names, its own and that of its file.
  const isSet = (name: string) => [name, `${name}_FILE`, name.replace(/_FILE$/, '')].some((one) => source[one]?.trim());
  const missing = settings.filter((name) => name.length >= SHORTEST && !isSet(name));
  return Object.keys(source).flatMap((given) => {
    if (!source[given]?.trim() || settings.includes(given)) return [];
    const meant = missing.find((name) => changesBetween(given.toUpperCase(), name) <= mostChanges(name));
    return meant ? [`${given} is no setting: ${meant} is`] : [];
  });
}

/** How many letters to add, remove or replace. */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [at, wanted] of [...other].entries()) {
      next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + (letter === wanted ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1)!;
}
