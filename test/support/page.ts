import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { sharedChromium } from './chromium.js';
import { aMadePlayer } from './made.js';
import { closeRooms, enterRoom, forgetRoutes, leaveRoom, pageIn, type Room } from './rooms.js';
import { type Server, serverOfFile, type ServerOptions } from './server.js';
import type { Visitor } from './visitor.js';
import { addWitness } from './witnesses.js';

/** Long enough for a busy machine. */
const PATIENCE_MS = 120_000;

export interface OpenOptions extends BrowserContextOptions {
  readonly path?: string;
  /** The page finds this visitor's session. */
  readonly as?: Visitor;
  /** Runs before the page is opened, for example to hold requests back. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** On a slow machine the page says so, as it does after three seconds. */
const SLOW = /^Auth loading timeout/;

/** What a page may report of the moment without a server, when its test starts the server again. */
const RESTARTED =
  /ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)|^Failed to (fetch|load stats)/;

/** Only a test that cuts the network makes the browser report this. */
const CUT = /net::ERR_(CONNECTION_FAILED|INTERNET_DISCONNECTED)/;
/** What the page says of it. Which requests are under way then is a matter of time, so no test has to name them. */
const OF_A_CUT = /^Failed to (fetch|load stats)|^No auth token/;

/** The console of a page whose context blocks service workers says so. */
const WORKER_BLOCKED = /^Service Worker registration blocked by Playwright/;

/** Motion and service workers take much time, so only the tests about them switch them on. */
const USUAL = { locale: 'en-GB', reducedMotion: 'reduce', serviceWorkers: 'block' } as const;

/**
 * The product in a real browser. A test fails when one of its pages reports an error or a warning, breaks the content
 * security policy or sends a request to another origin, unless the test expects it.
 */
export class Site {
  server!: Server;
  private isShared = false;
  private rooms: Room[] = [];
  /** Those of this test alone. */
  private contexts: BrowserContext[] = [];
  private problems: string[] = [];
  private expected: RegExp[] = [];
  private restarts = 0;

  get origin(): string {
    return this.server.origin;
  }

  async start(options?: ServerOptions): Promise<void> {
    this.isShared = !options;
    [this.server] = await Promise.all([serverOfFile(options), sharedChromium()]);
  }

  async stop(): Promise<void> {
    await closeRooms(this.server?.origin, this.isShared, USUAL);
    await this.server?.remove();
  }

  /** Opens a page that shares no cookies and no storage with others. */
  async open({ path = '/', as, prepare, viewport, ...options }: OpenOptions = {}): Promise<Page> {
    const { colorScheme, reducedMotion, forcedColors, ...others } = options;
    const context = await this.newContext(others);
    if (as) await this.handOver(as, context);
    const room = this.rooms.find((room) => room.context === context);
    const page = await (room ? pageIn(room) : context.newPage());
    if (viewport) await page.setViewportSize(viewport);
    if (colorScheme ?? reducedMotion ?? forcedColors)
      await page.emulateMedia({ colorScheme, reducedMotion, forcedColors });
    await prepare?.(page);
    await page.goto(this.origin + path);
    return page;
  }

  /** Opens the game of a new player who has signed in. The visitor sends requests as this player. */
  async openGame({ name, as, ...options }: OpenOptions & { readonly name?: string } = {}) {
    const visitor = as ?? (await aMadePlayer(this.server, { name }));
    const page = await this.open({ ...options, as: visitor });
    await page.getByRole('grid', { name: 'Board' }).waitFor();
    return { page, visitor };
  }

  /** An empty context: a kept one, but where a service worker would outlive its pages. */
  async newContext({ permissions = [], ...options }: BrowserContextOptions = {}): Promise<BrowserContext> {
    const settings = { ...USUAL, ...options };
    let context: BrowserContext;
    if (options.serviceWorkers === 'allow') {
      context = await (await sharedChromium()).newContext(settings);
      await furnish(context);
      this.contexts.push(context);
    } else {
      const room = await enterRoom(this.origin, settings, furnish);
      this.rooms.push(room);
      ({ context } = room);
    }
    if (permissions.length > 0) await context.grantPermissions(permissions);
    context.on('console', (message) => this.hear(message));
    context.on('weberror', (webError) => void this.problems.push(String(webError.error())));
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && url.origin !== this.origin) this.problems.push(`Request to ${url.href}`);
    });
    return context;
  }

  /** The test fails unless a page reports each of these at least once. A cut network needs none. */
  expectProblem(...patterns: RegExp[]): void {
    this.expected.push(...patterns);
  }

  /** Those of the test. */
  private get pages(): Page[] {
    const guests = this.rooms.flatMap(({ context, keeper }) => context.pages().filter((page) => page !== keeper));
    return [...guests, ...this.contexts.flatMap((context) => context.pages())];
  }

  /** What its pages show and have reported. */
  async describe(): Promise<string> {
    const shown = this.pages.map(async (page) => {
      const body = page.locator('body').ariaSnapshot({ timeout: 5_000 });
      return `The page ${page.url()}:\n${await body.catch(String)}`;
    });
    return [...(await Promise.all(shown)), ...this.problems].join('\n');
  }

  begin(): void {
    [this.rooms, this.contexts, this.problems, this.expected] = [[], [], [], []];
    this.restarts = this.server.restarts();
  }

  async end(): Promise<void> {
    const { rooms, contexts, problems, expected } = this;
    const reports = (pattern: RegExp) => problems.some((problem) => pattern.test(problem));
    const missing = () => Promise.resolve(expected.filter((pattern) => !reports(pattern)).map(String));
    // A report comes a moment after what the test has waited for.
    await eventually(missing, [], 10_000).catch(() => undefined);
    await Promise.all([...rooms.map(leaveRoom), ...contexts.map(endContext)]);
    const known = [SLOW, ...expected];
    if (this.server.restarts() > this.restarts) known.push(RESTARTED);
    if (reports(CUT)) known.push(CUT, OF_A_CUT);
    const unexpected = problems.filter((problem) => !known.some((pattern) => pattern.test(problem)));
    expect({ unexpected, missing: await missing() }).toEqual({ unexpected: [], missing: [] });
  }

  private hear(message: ConsoleMessage): void {
    if (!['error', 'warning', 'assert'].includes(message.type()) || WORKER_BLOCKED.test(message.text())) return;
    const { url } = message.location();
    this.problems.push(`${message.text()} (${url})`);
  }

  private async handOver(visitor: Visitor, context: BrowserContext): Promise<void> {
    const cookies = await visitor.cookies.getCookies(`${this.origin}/auth/refresh`);
    const refresh = cookies.filter(({ key }) => /refresh/.test(key));
    expect(refresh).toHaveLength(1);
    await context.addCookies(
      refresh.map(({ key, value }) => ({
        name: key,
        value,
        domain: 'localhost',
        path: '/',
        httpOnly: true,
        sameSite: 'Strict' as const,
      })),
    );
  }
}

async function endContext(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map(forgetRoutes));
  await context.close();
}

/** On a busy machine, an answer may take longer than the seconds after which the page takes it for lost. */
async function furnish(context: BrowserContext): Promise<void> {
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('Content security policy broken:', violatedDirective, blockedURI));
    { const limit = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (ms) => limit(ms < 5_000 ? ms : ${PATIENCE_MS}); }`,
  );
}

/** The site of a test file: on the worker's shared server, or with options on a server of its own. */
export function aSite(options?: ServerOptions): Site {
  const site = new Site();
  addWitness(() => site.describe());
  beforeAll(() => site.start(options));
  afterAll(() => site.stop());
  beforeEach(() => site.begin());
  afterEach(() => site.end());
  return site;
}

/** Each call gives another email, and so another player. */
export function somebody(name = 'Grace Hopper') {
  return { name, email: `${name.replace(/\W+/g, '.').toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@example.org` };
}

export type ProviderTitle = 'Google' | 'GitHub';

/**
 * Stays on the page after the press of a sign-in button, as a slow provider makes it: a 204 ends no page. Resolves
 * when the page has asked for the provider, so that nothing of this is left.
 */
export async function waitForProvider(page: Page, provider: ProviderTitle): Promise<void> {
  const asked = page.waitForResponse(`**/auth/${provider.toLowerCase()}?*`);
  await page.route(`**/auth/${provider.toLowerCase()}?*`, (route) => route.fulfill({ status: 204 }), { times: 1 });
  await page.getByRole('button', { name: `Continue with ${provider}` }).click();
  await page.getByRole('status').getByText('Redirecting to login...').waitFor();
  await asked;
}

/** Goes from the login screen to the provider's page. */
export async function goToProvider(page: Page, provider: ProviderTitle): Promise<void> {
  await page.getByRole('button', { name: `Continue with ${provider}` }).click();
  await providerPage(page).waitFor();
}

const providerPage = (page: Page) => page.getByRole('heading', { name: 'Local sign-in' });

/** Fills in the provider's page, when it is there, and sends it. */
export async function fillInProvider(page: Page, { name, email }: { name: string; email: string }): Promise<void> {
  await providerPage(page).waitFor();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in as a person does: from the login screen, through the provider's page, to the game. */
export async function signInAs(
  page: Page,
  { provider = 'Google', ...person }: { provider?: ProviderTitle; name: string; email: string },
): Promise<void> {
  await goToProvider(page, provider);
  await fillInProvider(page, person);
  await page.getByRole('grid', { name: 'Board' }).waitFor();
}

/** Plays the game on the login screen to its end. */
export async function playTrial(page: Page, said = 'Sign in to play for points'): Promise<void> {
  await page.getByRole('button', { name: 'Try a game: you are X' }).click();
  const over = page.getByText(said, { exact: true });
  for (;;) {
    await page.getByText('Your turn (X)', { exact: true }).or(over).first().waitFor();
    if (await over.isVisible()) return;
    await page
      .getByRole('gridcell', { name: /empty$/ })
      .first()
      .click();
  }
}

/** Stops an installed clock of a page, which runs until then. */
export async function stopClock(page: Page): Promise<void> {
  const stop = async () => page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000);
  // On a slow machine, the second can be over when the page is asked. This try has stopped its clock, so the next one works.
  await stop().catch(stop);
}

/** As a reader chooses it in the settings of the browser. Pixels: 16 is usual. */
export async function setTextSize(page: Page, standard: number): Promise<void> {
  await (await page.context().newCDPSession(page)).send('Page.setFontSizes', { fontSizes: { standard } });
  await page.waitForFunction(`getComputedStyle(document.documentElement).fontSize === '${standard}px'`);
}

/** Reads again until the answer is the expected one. */
export async function eventually<Answer>(
  read: () => Promise<Answer>,
  expected: Answer,
  patience = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patience;
  for (;;) {
    const answer = await read();
    try {
      return expect(answer).toEqual(expected);
    } catch (different) {
      if (performance.now() > deadline) throw different;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

/** Matches requests to our GraphQL endpoint that carry this operation. */
export function isOperation(name: string) {
  return (request: { url(): string; postData(): string | null }): boolean =>
    request.url().endsWith('/graphql') && (request.postData() ?? '').includes(`"operationName":"${name}"`);
}

/** Holds the requests of an operation or to an address back until `open` is called. */
export async function hold(page: Page, url: string, operation?: string) {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route(url, async (route) => {
    if (operation && !isOperation(operation)(route.request())) return route.fallback();
    await opened;
    // The page may be closed or elsewhere by now.
    await route.fallback().catch(() => undefined);
  });
  return { open };
}

/** Fails the requests of an operation, as a broken network does, until `restore` is called. */
export async function cut(page: Page, operation: string) {
  let broken = true;
  await page.route('**/graphql', async (route) => {
    if (!broken || !isOperation(operation)(route.request())) return route.fallback();
    await route.abort('connectionfailed');
  });
  return { restore: () => void (broken = false) };
}

/** From the next page load on, web sockets open and stay silent. */
export function hushSockets(page: Page): Promise<void> {
  return page.routeWebSocket(/\/graphql$/, () => undefined);
}
