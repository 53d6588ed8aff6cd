/**
 * Loaded before the server (`node --import`): requests to Google and GitHub go to a test's stand-in instead, as
 * `/<host>/<path>`. The product has no switch for it.
 */
const HOSTS = new Set(['oauth2.googleapis.com', 'www.googleapis.com', 'github.com', 'api.github.com', '203.0.113.5']);
const realFetch = fetch;

/** @type {typeof fetch} */
const redirected = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  return HOSTS.has(url.host)
    ? realFetch(`${process.env.PROVIDER_STAND_IN}/${url.host}${url.pathname}`, init)
    : realFetch(input, init);
};
// TypeScript would take an assignment for a declaration of the project's `fetch`.
Object.assign(globalThis, { fetch: redirected });
