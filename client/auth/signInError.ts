import { messages } from '../messages/login.js';

/** Returns the message for an error code of a sign-in. */
export function signInError(code: string | null): string {
  const known: Record<string, string> = messages.auth.signInErrors;
  return (code && Object.hasOwn(known, code) && known[code]) || messages.auth.signInFailed;
}
