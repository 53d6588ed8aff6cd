import { ADDRESS, requestHeaders } from './request.js';
import type { TypedHeaders, TypedRequest } from './request.js';

/**
 * Formats the request as a command for a POSIX shell.
 * @throws TypeError when a typed name or value cannot be a header
 */
export function asCurl(request: TypedRequest, token: string | null, typed?: TypedHeaders): string {
  const headers = Object.entries(requestHeaders(token, typed)).map(
    ([name, value]) => `-H ${quote(`${name}: ${value}`)}`,
  );
  const address = new URL(ADDRESS, window.location.href).href;
  return [`curl ${quote(address)}`, ...headers, `--data-raw ${quote(JSON.stringify(request))}`].join(' \\\n  ');
}

/** A shell changes nothing within single quotes. A single quote itself must be outside them. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
