/**
 * PKCE (RFC 7636): the tab that starts a sign-in keeps a secret and shows the server only its hash, so a code that
 * leaks on the way back is worth nothing to anyone else. The secret lives in sessionStorage: it must survive the trip
 * to the provider, and only in this tab.
 */
const VERIFIER = 'tic-tac-toe.sign-in.code-verifier';

/** Keeps a new verifier for this tab and answers its S256 challenge. */
export async function startPkce(): Promise<string> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(48)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  sessionStorage.setItem(VERIFIER, verifier);
  return base64Url(new Uint8Array(hash));
}

/** The verifier of the sign-in that this tab started. It is good for one use. */
export function takeVerifier(): string | null {
  try {
    const verifier = sessionStorage.getItem(VERIFIER);
    sessionStorage.removeItem(VERIFIER);
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
