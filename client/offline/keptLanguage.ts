/** Has the file of the chosen language. The page fills it, because a service worker does not know the choice. */
export const LANGUAGE_CACHE = 'language';

/** For the next visit, which may have no network. English needs no file. */
export async function keepLanguage(): Promise<void> {
  const chosen = document.querySelector<HTMLLinkElement>('[rel=modulepreload]')?.href;
  const cache = await caches.open(LANGUAGE_CACHE);
  for (const kept of await cache.keys()) if (kept.url !== chosen) await cache.delete(kept);
  if (chosen && !(await cache.match(chosen))) await cache.add(chosen);
}
