const ELSEWHERE = 'https://elsewhere.invalid';
const MAX_LENGTH = 512;

/** The page opens the account here. */
export const ACCOUNT_PATH = '/?open=account';

/**
 * The path of our own origin to which the page returns after a sign-in, '/' for anything else. It is checked before and
 * after normalisation, because `/.//host` and `/a/../..//host` become `//host` only then.
 */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > MAX_LENGTH || !isPath(given)) return '/';
  if (!URL.canParse(given, ELSEWHERE)) return '/';
  const { origin, pathname, search } = new URL(given, ELSEWHERE);
  const path = `${pathname}${search}`;
  return origin === ELSEWHERE && isPath(path) ? path : '/';
}

/** Exactly one slash at the start. Browsers read a backslash as a slash, and drop tabs and line breaks. */
function isPath(path: string): boolean {
  return /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(path);
}
