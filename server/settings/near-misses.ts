export type Variables = Readonly<Record<string, string | undefined>>;

/** Other programs have shorter names too, such as LOGLEVEL. */
const SHORTEST = 10;

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
    const meant = missing.find((name) => isOneSlip(given.toUpperCase(), name));
    return meant ? [`${given} is no setting: ${meant} is`] : [];
  });
}

/** Whether at most one letter is missing, added or replaced, or two letters have changed places. */
function isOneSlip(given: string, name: string): boolean {
  const same = [...name].findIndex((letter, at) => given[at] !== letter);
  if (same < 0) return given.length <= name.length + 1;
  const [rest, wanted] = [given.slice(same), name.slice(same)];
  const swapped = `${wanted[1]}${wanted[0]}${wanted.slice(2)}`;
  return [wanted.slice(1), swapped].includes(rest) || [wanted, wanted.slice(1)].includes(rest.slice(1));
}
