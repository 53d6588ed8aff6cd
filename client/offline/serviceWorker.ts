/**
 * Caches only the files of the page, never answers of /graphql, /auth or /api. The build writes it to /sw.js after the
 * page.
 */
import { addRoute, cleanupOutdatedCaches, createHandlerBoundToURL, precache } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import files from 'virtual:precache-manifest';

/** The used part of the worker's global scope. TypeScript cannot load the types of workers and pages together. */
interface Worker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<{ id: string }[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

const worker = self as unknown as Worker;
const TAKE_OVER = 'take over';

/** The addresses of the page. The server answers all others, such as those of the other pages. */
const PAGE = [/^\/(\?|$)/, /^\/auth\/callback(\?|$)/];

cleanupOutdatedCaches();
precache(files);
const page = createHandlerBoundToURL('/index.html');

registerRoute(
  new NavigationRoute(
    async (options) => {
      // A new version takes over when the page opens and no other tab uses the old one. The answer makes the browser
      // reload, and the new version answers that request.
      const { waiting } = worker.registration;
      if (!waiting) return page(options);
      const open = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
      // The list contains the page that opens and, at a reload, the page that it replaces.
      const { resultingClientId } = options.event as Event & { resultingClientId: string };
      if (open.filter(({ id }) => id !== resultingClientId).length > 1) return page(options);
      waiting.postMessage(TAKE_OVER);
      // Without this icon, browsers request one that does not exist.
      return new Response('<link rel="icon" href="/favicon.svg">', {
        headers: { refresh: '0', 'content-type': 'text/html' },
      });
    },
    { allowlist: PAGE },
  ),
);

// Must follow the page's route, because it also matches the page's address.
addRoute();

worker.addEventListener('message', ({ data }) => {
  if (data === TAKE_OVER) void worker.skipWaiting();
});
