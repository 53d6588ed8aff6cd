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

/** How long a room may take until it is empty. */
const EMPTY_WITHIN_MS = 15_000;

/**
 * Empties a room for the next test. Once, on a busy machine, a room stayed full until the hook of the test timed out. No test
 * enters such a room again.
 */
export async function leaveRoom(room: Room): Promise<void> {
  let timer!: NodeJS.Timeout;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, EMPTY_WITHIN_MS, false)));
  const isEmpty = await Promise.race([empty(room).then(() => true), late]).finally(() => clearTimeout(timer));
  if (isEmpty) return void kept.rooms!.push(room);
  const left = room.context.pages().map((page) => page.url());
  console.log(`A room is not empty after ${EMPTY_WITHIN_MS} ms, so it is closed: ${left.join(', ')}`);
  await room.context.close();
}

/** Closes the pages of the test, and removes what they have stored. Only service workers use caches, and no room has one. */
async function empty({ context, keeper }: Room): Promise<void> {
  const guests = context.pages().filter((page) => page !== keeper);
  await Promise.all(guests.map(forgetRoutes));
  await Promise.all(guests.map((page) => page.close()));
  await Promise.all([
    context.unrouteAll(),
    context.clearCookies(),
    context.clearPermissions(),
    context.setOffline(false),
    uninstallClock(context),
  ]);
  await keeper.evaluate('localStorage.clear()');
}

/** A route may be at work when its page closes. */
export const forgetRoutes = (page: Page) => page.unrouteAll({ behavior: 'ignoreErrors' });

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
