import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { SIGN_IN_ERRORS } from '../messages/signInErrors.js';
import { storedInTab } from '../ui/stored.js';

/**
 * PKCE (RFC 7636): the tab that starts a sign-in stores a secret and sends only its hash, so a leaked code is useless to
 * others. The secret is in the storage of the tab, because it must survive the redirect in this tab only.
 */
const VERIFIER = 'tic-tac-toe.sign-in.code-verifier';
const STARTED = 'tic-tac-toe.sign-in.started';
/** The address that the sign-in leaves, such as a dare. The tab returns to it, also when the sign-in fails. */
const ADDRESS = 'tic-tac-toe.sign-in.address';

export const BLOCKED = msg`Your browser blocks cookies or storage here. Allow them and try again.`;

/** One minute less than the lifetime of a sign-in on the server. */
const PENDING_MS = 9 * 60_000;

/** Stores a new verifier and the address for this tab, and returns the verifier's S256 challenge. */
export async function startPkce(address: string): Promise<string> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(48)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  if (!storedInTab.set(VERIFIER, verifier)) throw new Error('The browser blocks storage');
  storedInTab.set(STARTED, String(Date.now()));
  storedInTab.set(ADDRESS, address);
  return base64Url(new Uint8Array(hash));
}

export function isSignInPending(): boolean {
  return Date.now() - Number(storedInTab.get(STARTED)) < PENDING_MS;
}

/** The verifier of this tab's sign-in, once. */
export function takeVerifier(): string | null {
  storedInTab.set(STARTED, null);
  return take(VERIFIER);
}

/** The address that this tab's sign-in has left, once. Browsers take none of another site. */
export function takeAddress(): string {
  const address = take(ADDRESS) ?? '';
  return /^\/(?![/\\])/.test(address) ? address : '/';
}

function take(key: string): string | null {
  const value = storedInTab.get(key);
  storedInTab.set(key, null);
  return value;
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
  /** `address` is the page's own without it. */
  | { readonly kind: 'nothing'; readonly address: string };

/** The server leads back here. */
const CALLBACK = '/auth/callback';

/**
 * Reads the auth result from an address; null when there is none. A hash or an `access_token` counts as a result without
 * content, and so does all at another address than that of the return, because anyone can put it into a link.
 */
export function authResult(href: string): AuthResult | null {
  const url = new URL(href);
  const { pathname, hash, searchParams } = url;
  const marks = ['code', 'error', 'access_token'].filter((name) => searchParams.has(name));
  if (!hash && marks.length === 0) return null;
  if (pathname === CALLBACK) {
    const [code, error] = [searchParams.get('code'), searchParams.get('error')];
    if (error) return { kind: 'error', error };
    return code ? { kind: 'code', code } : { kind: 'nothing', address: '/' };
  }
  for (const name of marks) searchParams.delete(name);
  return { kind: 'nothing', address: pathname + url.search };
}

export function signInError(code: string | null): MessageDescriptor {
  const known = code && Object.hasOwn(SIGN_IN_ERRORS, code) && SIGN_IN_ERRORS[code];
  return known || msg`Login failed. Please try again.`;
}
