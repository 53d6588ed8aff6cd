const ELSEWHERE = 'https://elsewhere.invalid';
const MAX_LENGTH = 512;

/**
 * Where the page goes after a sign-in: a path of our own origin, '/' for anything else. Checked as given and again as a
 * browser would read it, because `/.//host` and `/a/../..//host` only become `//host` once they are normalised.
 */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > MAX_LENGTH || !isPath(given)) return '/';
  if (!URL.canParse(given, ELSEWHERE)) return '/';
  const { origin, pathname, search } = new URL(given, ELSEWHERE);
  const path = `${pathname}${search}`;
  return origin === ELSEWHERE && isPath(path) ? path : '/';
}

/** One slash at the start; browsers read a backslash as a slash, and drop tabs and line ends. */
function isPath(path: string): boolean {
  return /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(path);
}
