/**
 * PKCE (RFC 7636): the tab that starts a sign-in keeps a secret and shows the server only its hash, so a code that
 * leaks on the way back is worth nothing to anyone else. The secret lives in sessionStorage: it must survive the trip
 * to the provider, and only in this tab.
 */
const VERIFIER = 'tic-tac-toe.sign-in.code-verifier';
const STARTED = 'tic-tac-toe.sign-in.started';

/** A minute less than the server waits for somebody to come back from the provider. */
const UNDER_WAY_MS = 9 * 60_000;

/** Keeps a new verifier for this tab and answers its S256 challenge. */
export async function startPkce(): Promise<string> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(48)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  sessionStorage.setItem(VERIFIER, verifier);
  sessionStorage.setItem(STARTED, String(Date.now()));
  return base64Url(new Uint8Array(hash));
}

/** Whether this tab has started a sign-in that has neither ended nor taken too long. */
export function isUnderWay(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(STARTED)) < UNDER_WAY_MS;
  } catch {
    return false;
  }
}

/** The verifier of the sign-in that this tab started. It is good for one use. */
export function takeVerifier(): string | null {
  try {
    const verifier = sessionStorage.getItem(VERIFIER);
    sessionStorage.removeItem(VERIFIER);
    sessionStorage.removeItem(STARTED);
    return verifier;
  } catch {
    // Where storage is blocked no sign-in can have started.
    return null;
  }
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
