/**
 * Keeps the files of the page, and nothing else: answers of /graphql, /auth and /api never pass through here. Built
 * after the page, into /sw.js.
 */
import { addRoute, cleanupOutdatedCaches, createHandlerBoundToURL, precache } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import files from 'virtual:precache-manifest';

/** The part of a service worker's global scope that is used here: its types and a page's do not go together. */
interface Worker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<{ id: string }[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

const worker = self as unknown as Worker;
const TAKE_OVER = 'take over';

/** The addresses of the page. Others, such as the playground's, are the server's to answer. */
const PAGE = [/^\/(\?|$)/, /^\/auth\/callback(\?|$)/];

cleanupOutdatedCaches();
precache(files);
const page = createHandlerBoundToURL('/index.html');

registerRoute(
  new NavigationRoute(
    async (options) => {
      // A new version takes over when the page starts and no other tab is in the middle of a game with the old one. The
      // answer makes the browser ask once more, and that question goes to the new version.
      const { waiting } = worker.registration;
      if (!waiting) return page(options);
      const open = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
      // The page that is being opened is among them, and with a reload the one that it takes the place of.
      const { resultingClientId } = options.event as Event & { resultingClientId: string };
      if (open.filter(({ id }) => id !== resultingClientId).length > 1) return page(options);
      waiting.postMessage(TAKE_OVER);
      // With an icon, as browsers would ask for one that is not there.
      return new Response('<link rel="icon" href="/favicon.svg">', {
        headers: { refresh: '0', 'content-type': 'text/html' },
      });
    },
    { allowlist: PAGE },
  ),
);

// After the page's own route: this one would answer for the address of the page as well.
addRoute();

worker.addEventListener('message', ({ data }) => {
  if (data === TAKE_OVER) void worker.skipWaiting();
});
