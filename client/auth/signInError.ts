import { messages } from '../messages/login.js';

/** What to tell a person about a sign-in that ended with this code. */
export function signInError(code: string | null): string {
  const known: Record<string, string> = messages.auth.signInErrors;
  return (code && Object.hasOwn(known, code) && known[code]) || messages.auth.signInFailed;
}
