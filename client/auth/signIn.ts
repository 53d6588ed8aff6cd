import { messages } from '../messages/login.js';
import { storedInTab } from '../ui/stored.js';

/**
 * PKCE (RFC 7636): the tab that starts a sign-in stores a secret and sends only its hash, so a leaked code is useless to
 * others. The secret is in the storage of the tab, because it must survive the redirect in this tab only.
 */
const VERIFIER = 'tic-tac-toe.sign-in.code-verifier';
const STARTED = 'tic-tac-toe.sign-in.started';

/** One minute less than the lifetime of a sign-in on the server. */
const PENDING_MS = 9 * 60_000;

/** Stores a new verifier for this tab and returns its S256 challenge. */
export async function startPkce(): Promise<string> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(48)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  if (!storedInTab.set(VERIFIER, verifier)) throw new Error(messages.auth.blocked);
  storedInTab.set(STARTED, String(Date.now()));
  return base64Url(new Uint8Array(hash));
}

/** Whether this tab has a sign-in in progress that has not expired. */
export function isSignInPending(): boolean {
  return Date.now() - Number(storedInTab.get(STARTED)) < PENDING_MS;
}

/** Removes and returns the verifier of this tab's sign-in. */
export function takeVerifier(): string | null {
  const verifier = storedInTab.get(VERIFIER);
  storedInTab.set(VERIFIER, null);
  storedInTab.set(STARTED, null);
  return verifier;
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

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
