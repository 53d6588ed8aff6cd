/**
 * Caches only the files of the page, never answers of /graphql, /auth or /api. The build writes it to /sw.js after the
 * page.
 */
import { cleanupOutdatedCaches, PrecacheController, PrecacheRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import files from 'virtual:precache-manifest';

/** The used part of the worker's global scope. TypeScript cannot load the types of workers and pages together. */
interface Worker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<{ id: string }[]> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'message', listener: (event: Message) => void): void;
}

interface Navigation extends Event {
  readonly resultingClientId: string;
  waitUntil(work: Promise<unknown>): void;
  readonly request: { readonly isReloadNavigation: boolean };
}

/** From the page: that the worker may take over. */
interface Message extends Pick<Navigation, 'waitUntil'> {
  readonly data: string;
}

const worker = self as unknown as Worker;

const TAKE_OVER = 'take over';

/**
 * The page until the new version has taken over and answers it. Nothing is requested before: while its tools are attached,
 * Chromium can forget a request that meets a worker as it ends. Without this icon, browsers would request one.
 */
const HANDOVER = `<link rel="icon" href="data:,"><script>
navigator.serviceWorker.ready.then(({ waiting }) => {
  if (!waiting) return location.reload();
  waiting.onstatechange = () => waiting.state === 'activating' || location.reload();
  waiting.postMessage('${TAKE_OVER}');
});
</script>`;

/** The addresses of the page. The server answers all others, such as those of the other pages. */
const PAGE = [/^\/(\?|$)/, /^\/[dp]\//, /^\/auth\/callback(\?|$)/];

const precaching = new PrecacheController();

/** Fills a cache that the browser or the player has emptied: Workbox does so only when it installs a version. */
async function fillCache(): Promise<void> {
  const cache = await caches.open(precaching.strategy.cacheName);
  for (const [url, key] of precaching.getURLsToCacheKeys()) {
    const answer = (await cache.match(key)) ? null : await fetch(url, { cache: 'reload' });
    // Not the page of a portal.
    if (answer?.ok && answer.headers.has('x-request-id')) await cache.put(key, answer);
  }
}

cleanupOutdatedCaches();
precaching.precache(files);
const page = precaching.createHandlerBoundToURL('/index.html');

registerRoute(
  new NavigationRoute(
    async (options) => {
      (options.event as Navigation).waitUntil(fillCache());
      // A new version takes over when the page opens and no other tab uses the old one.
      if (!worker.registration.waiting) return page(options);
      const open = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
      // The list contains the page that opens and, at a reload, the page that it replaces.
      const { resultingClientId, request } = options.event as Navigation;
      const others = open.filter(({ id }) => id !== resultingClientId);
      if (others.length > (request.isReloadNavigation ? 1 : 0)) return page(options);
      const policy = "default-src 'none'; script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";
      return new Response(HANDOVER, { headers: { 'content-type': 'text/html', 'content-security-policy': policy } });
    },
    { allowlist: PAGE },
  ),
);

// Must follow the page's route, because it also matches the page's address.
registerRoute(new PrecacheRoute(precaching));

worker.addEventListener('message', (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(worker.skipWaiting());
});
