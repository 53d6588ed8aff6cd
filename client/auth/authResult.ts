/** What a provider's answer left in the address: a code to exchange, an error code, or nothing of use. */
export type AuthResult =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'error'; readonly error: string }
  | { readonly kind: 'nothing' };

/**
 * The result in this address, or null when there is none to process. A hash or an `access_token` is processed too, and
 * means nothing: a token is never taken out of an address, where anyone could have put it.
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
