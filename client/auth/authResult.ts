import { messages } from '../messages/login.js';

/** The provider's answer in the address: a code to exchange, an error code, or nothing usable. */
export type AuthResult =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'error'; readonly error: string }
  | { readonly kind: 'nothing' };

/**
 * Reads the auth result from an address; null when there is none. A hash or an `access_token` counts as a result without
 * content, because anyone can put a token into an address.
 */
export function authResult(href: string): AuthResult | null {
  const { hash, searchParams } = new URL(href);
  const error = searchParams.get('error');
  if (error) return { kind: 'error', error };
  const code = searchParams.get('code');
  if (code) return { kind: 'code', code };
  const marked = hash !== '' || ['code', 'error', 'access_token'].some((name) => searchParams.has(name));
  return marked ? { kind: 'nothing' } : null;
}

/** Returns the message for an error code of a sign-in. */
export function signInError(code: string | null): string {
  const known: Record<string, string> = messages.auth.signInErrors;
  return (code && Object.hasOwn(known, code) && known[code]) || messages.auth.signInFailed;
}
