import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { sharedChromium } from './chromium.js';

/**
 * A context that tests use one after the other, each of which finds it empty. In a new one, the first page begins with a process
 * of its own, which takes longer than most tests.
 */
export interface Room {
  /** Its origin and settings. */
  readonly key: string;
  readonly context: BrowserContext;
  /** A page without scripts, whose process the pages of the tests share. */
  readonly keeper: Page;
}

/** Made by environment.js: what a Jest worker keeps from one test file to the next. */
declare const kept: { rooms?: Room[] };

const keyOf = (origin: string, options: BrowserContextOptions) => JSON.stringify([origin, options]);

/** @param furnish prepares a new context */
export async function enterRoom(
  origin: string,
  options: BrowserContextOptions,
  furnish: (context: BrowserContext) => Promise<unknown>,
): Promise<Room> {
  const key = keyOf(origin, options);
  const rooms = (kept.rooms ??= []);
  const at = rooms.findIndex((room) => room.key === key);
  if (at >= 0) return rooms.splice(at, 1)[0]!;
  const context = await (await sharedChromium()).newContext(options);
  await furnish(context);
  const keeper = await context.newPage();
  await keeper.goto(`${origin}/health/live`);
  return { key, context, keeper };
}

/** Opens a page in the keeper's process. */
export async function pageIn({ context, keeper }: Room): Promise<Page> {
  const [page] = await Promise.all([context.waitForEvent('page'), keeper.evaluate("void open('about:blank')")]);
  return page;
}

/** Closes its pages, and removes what they have left. */
export async function leaveRoom(room: Room): Promise<void> {
  const { context, keeper } = room;
  const guests = context.pages().filter((page) => page !== keeper);
  await Promise.all(guests.map((page) => page.close()));
  await Promise.all([
    context.unrouteAll(),
    context.clearCookies(),
    context.clearPermissions(),
    uninstallClock(context),
  ]);
  await keeper.evaluate(`(async () => {
    for (const storage of [localStorage, sessionStorage]) storage.clear();
    for (const name of await caches.keys()) await caches.delete(name);
    for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  })()`);
  kept.rooms!.push(room);
}

/** Playwright does so itself before it gives a context to its next test, and has no call for others. */
function uninstallClock(context: BrowserContext): Promise<void> {
  interface Progress {
    race<Value>(work: Promise<Value>): Promise<Value>;
  }
  const { _connection } = context as unknown as {
    _connection: { toImpl(of: BrowserContext): { clock: { uninstall(progress: Progress): Promise<void> } } };
  };
  return _connection.toImpl(context).clock.uninstall({ race: (work) => work });
}

/** Closes all rooms but the one that every test file of the worker has. */
export async function closeRooms(origin: string, isShared: boolean, usual: BrowserContextOptions): Promise<void> {
  const rooms = kept.rooms ?? [];
  kept.rooms = isShared ? rooms.filter(({ key }) => key === keyOf(origin, usual)) : [];
  await Promise.all(rooms.filter((room) => !kept.rooms!.includes(room)).map(({ context }) => context.close()));
}
