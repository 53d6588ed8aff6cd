import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { launchChromium } from './chromium.js';
import { type Server, type ServerOptions, startServer } from './server.js';
import { aSignedInVisitor, type Visitor } from './visitor.js';

/** Long enough for a busy machine; nothing waits for it when all is well. */
const PATIENCE_MS = 30_000;

export interface OpenOptions extends BrowserContextOptions {
  readonly path?: string;
  /** Somebody who has signed in already: the page finds their session. */
  readonly as?: Visitor;
  /** Another browser than the site's own. */
  readonly browser?: Browser;
  /** Runs before the page is opened, for example to hold requests back. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/**
 * The product in a real browser, with one server and one browser for the test file. A test fails when a page that it
 * opened reports an error or a warning, breaks the content security policy or asks another origin for anything, unless
 * the test said that it expects it.
 */
export class Site {
  server!: Server;
  browser!: Browser;
  private contexts: BrowserContext[] = [];
  private problems: string[] = [];
  private expected: RegExp[] = [];

  get origin(): string {
    return this.server.origin;
  }

  async start(options?: ServerOptions): Promise<void> {
    [this.server, this.browser] = await Promise.all([startServer(options), launchChromium()]);
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.server?.remove();
  }

  /** A page in a browser of its own: no cookies, no storage, nothing shared with the other tests. */
  async open({ path = '/', as, prepare, ...options }: OpenOptions = {}): Promise<Page> {
    const context = await this.newContext(options);
    if (as) await this.handOver(as, context);
    const page = await context.newPage();
    await prepare?.(page);
    await page.goto(this.origin + path);
    return page;
  }

  /** The game of somebody who is new here and has signed in already. The visitor can ask the server in their name. */
  async openGame({ name, as, ...options }: OpenOptions & { readonly name?: string } = {}) {
    const visitor = as ?? (await aSignedInVisitor(this.server, name === undefined ? {} : { name }));
    const page = await this.open({ ...options, as: visitor });
    await page.getByRole('grid', { name: 'Board' }).waitFor();
    return { page, visitor };
  }

  async newContext({
    browser = this.browser,
    ...options
  }: BrowserContextOptions & Pick<OpenOptions, 'browser'> = {}): Promise<BrowserContext> {
    // A browser without a graphics card spends itself on motion, which is looked at where a test asks for it.
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
    this.contexts.push(context);
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addInitScript(
      `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error('Content security policy broken:', violatedDirective, blockedURI))`,
    );
    context.on('console', (message) => this.hear(message));
    context.on('weberror', (webError) => void this.problems.push(String(webError.error())));
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && url.origin !== this.origin) this.problems.push(`Request to ${url.href}`);
    });
    return context;
  }

  /** The page is expected to report this at least once. */
  expectProblem(...patterns: RegExp[]): void {
    this.expected.push(...patterns);
  }

  begin(): void {
    [this.contexts, this.problems, this.expected] = [[], [], []];
  }

  async end(): Promise<void> {
    const { contexts, problems, expected } = this;
    const pages = contexts.flatMap((context) => context.pages());
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
    await Promise.all(contexts.map((context) => context.close()));
    const unexpected = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
    const missing = expected.filter((pattern) => !problems.some((problem) => pattern.test(problem))).map(String);
    expect({ unexpected, missing }).toEqual({ unexpected: [], missing: [] });
  }

  private hear(message: ConsoleMessage): void {
    if (!['error', 'warning', 'assert'].includes(message.type())) return;
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
        path: '/auth',
        httpOnly: true,
        sameSite: 'Strict' as const,
      })),
    );
  }
}

/** The site of a test file, started before its first test and ended after its last. */
export function aSite(options?: ServerOptions): Site {
  const site = new Site();
  beforeAll(() => site.start(options));
  afterAll(() => site.stop());
  beforeEach(() => site.begin());
  afterEach(() => site.end());
  return site;
}

/** What the visitors of these tests are called. Each call is somebody else. */
export function somebody(name = 'Grace Hopper') {
  return { name, email: `${name.replace(/\W+/g, '.').toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@example.org` };
}

export type ProviderTitle = 'Google' | 'GitHub';

/** From the login screen to the provider's page. */
export async function goToProvider(page: Page, provider: ProviderTitle): Promise<void> {
  await page.getByRole('button', { name: `Continue with ${provider}` }).click();
  await page.getByRole('heading', { name: 'Local sign-in' }).waitFor();
}

/** Through the provider's page, until the server has sent the browser back. */
export async function fillInProvider(page: Page, { name, email }: { name: string; email: string }): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** As a person signs in: from the login screen, through the provider's page, to the game. */
export async function signInAs(
  page: Page,
  { provider = 'Google', ...person }: { provider?: ProviderTitle; name: string; email: string },
): Promise<void> {
  await goToProvider(page, provider);
  await fillInProvider(page, person);
  await page.getByRole('grid', { name: 'Board' }).waitFor();
}

/** Asks again until the answer is the expected one. */
export async function eventually<Answer>(read: () => Promise<Answer>, expected: Answer): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
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

/** Requests to our GraphQL endpoint that carry this operation. */
export function isOperation(name: string) {
  return (request: { url(): string; postData(): string | null }): boolean =>
    request.url().endsWith('/graphql') && (request.postData() ?? '').includes(`"operationName":"${name}"`);
}

/** A gate in front of an operation or an address: requests wait at it until it is opened. */
export async function hold(page: Page, url: string, operation?: string) {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route(url, async (route) => {
    if (operation && !isOperation(operation)(route.request())) return route.fallback();
    await opened;
    // The page may have gone on without the answer.
    await route.fallback().catch(() => undefined);
  });
  return { open };
}

/** Cuts an operation off, as a network that fails would, until it is mended. */
export async function cut(page: Page, operation: string) {
  let broken = true;
  let attempts = 0;
  await page.route('**/graphql', async (route) => {
    if (!broken || !isOperation(operation)(route.request())) return route.fallback();
    attempts += 1;
    await route.abort('connectionfailed');
  });
  return {
    mend: () => void (broken = false),
    attempts: () => attempts,
  };
}

/** From the next page load on: a server that takes web sockets and never says anything through them. */
export function hushSockets(page: Page): Promise<void> {
  return page.routeWebSocket(/\/graphql$/, () => undefined);
}
