import type { IncomingMessage } from 'node:http';

/**
 * The most header fields of a request. Node drops further ones without a word, and with them what our checks read; and it keeps
 * those of an unfinished request in memory. A browser sends 20, and proxies add about ten.
 */
export const MOST_HEADERS = 100;

/**
 * The most characters of each header that is read as a list: 3,900 entries of `Accept` take 16 ms. A header that comes twice counts
 * as one. Chrome, Firefox and Safari send what stands behind each.
 */
const LENGTHS = Object.entries({
  accept: 512, // 135, for a page
  'accept-encoding': 256, // 23
  'content-type': 256, // 31; 140 with the longest boundary of a form
  // Sites beside ours, on hosts of the same domain, can set some. Apache and nginx refuse longer ones by default.
  cookie: 8_190,
  'if-none-match': 1_024, // 48
  'sec-websocket-protocol': 256, // 20
  'x-forwarded-for': 1_024, // 41 for each proxy
  'x-forwarded-host': 1_024, // a name has 253 at most
});

/**
 * Stands before everything that reads a header. It takes away those that are too long, because a refusal reads headers too.
 * @returns why the request is refused
 */
export function refuseHeaders(request: IncomingMessage): 'too_many_headers' | 'header_too_long' | undefined {
  const { headers, rawHeaders } = request;
  const long = LENGTHS.filter(([name, most]) => (headers[name]?.length ?? 0) > most);
  for (const [name] of long) delete headers[name];
  if (rawHeaders.length >= 2 * MOST_HEADERS) return 'too_many_headers';
  return long.length > 0 ? 'header_too_long' : undefined;
}
