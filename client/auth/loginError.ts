import { texts } from '../texts/entrance.js';

/** What to tell a person about a sign-in that ended with this code. */
export function loginError(code: string | null): string {
  const known: Record<string, string> = texts.auth.loginErrors;
  return (code && Object.hasOwn(known, code) && known[code]) || texts.auth.loginFailed;
}
