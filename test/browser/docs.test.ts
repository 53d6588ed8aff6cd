import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { aSite, eventually, hold, type OpenOptions } from '../support/page.js';
import { aSignedInVisitor } from '../support/visitor.js';
import { expectNoViolations } from './axe.js';
import { expectInView, expectNoSidewaysScroll } from './inView.js';

// Every test checks that the page breaks no security policy, reports no error and sends no request to another origin.
const site = aSite();

const DOCUMENT = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { summary: string }>>;
  components: { schemas: { ProblemCode: { oneOf: { const: string; description: string }[] } } };
};
const CODES = DOCUMENT.components.schemas.ProblemCode.oneOf;

async function openDocs({ at = '/docs', ...options }: OpenOptions & { at?: string } = {}): Promise<Page> {
  const page = await site.open({ ...options, path: at });
  await page.getByRole('heading', { name: 'Errors' }).waitFor();
  return page;
}

const operation = (page: Page, path: string) =>
  page.locator('.opblock').filter({ has: page.locator(`[data-path="${path}"]`) });

/** Sends the request of the form as it is, and returns the part of the page with its answer. */
async function tryOut(page: Page, path: string) {
  const block = operation(page, path);
  await block.locator('.opblock-summary-control').click();
  await block.getByRole('button', { name: 'Try it out' }).click();
  await block.getByRole('button', { name: 'Execute' }).click();
  return block.locator('.live-responses-table');
}

test('lists every operation, and every code with its status and meaning', async () => {
  const page = await openDocs();
  expect(await page.title()).toBe('REST API · Tic-Tac-Toe');
  const described = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => `${method.toUpperCase()} ${path} ${summary}`),
  );
  const listed = await page
    .locator('.opblock-summary')
    .evaluateAll((lines) =>
      lines.map((line) =>
        ['method', 'path', 'description']
          .map((part) => line.querySelector(`.opblock-summary-${part}`)!.textContent.replaceAll('\u200b', ''))
          .join(' '),
      ),
    );
  expect(listed.toSorted()).toEqual(described.toSorted());
  const codes = await page
    .locator('#codes > div')
    .evaluateAll((lines) =>
      lines.map(({ id, children: [term, meaning] }) => [
        id,
        term!.querySelector('a')!.textContent,
        `${term!.querySelector('b')!.textContent}: ${meaning!.textContent}`,
      ]),
    );
  expect(codes).toEqual(CODES.map(({ const: code, description }) => [code, code, description]));
});

test('sends a request without a token, and shows the answer', async () => {
  const page = await openDocs();
  const answer = await tryOut(page, '/api/leaderboard');
  await answer.getByText('200', { exact: true }).waitFor();
  await answer.locator('.response-body, .highlight-code').first().waitFor();
  site.expectProblem(/status of 401 .*\/api\/me/);
  const refused = await tryOut(page, '/api/me');
  await refused.getByText('"unauthenticated"').waitFor();
  await refused.getByText(`"${site.origin}/docs#unauthenticated"`).waitFor();
});

test('sends the token of the dialog until the page is loaded again', async () => {
  const visitor = await aSignedInVisitor(site.server, { name: 'Grace Hopper' });
  const { data } = await visitor.graphql<{ createToken: { secret: string } }>(
    'mutation { createToken(name: "Docs", scopes: [stats_read]) { secret } }',
  );
  const { secret } = data!.createToken;
  const page = await openDocs();
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.modal-ux');
  await dialog.getByRole('textbox').fill(secret);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await (await tryOut(page, '/api/me')).getByText('"Grace Hopper"').waitFor();
  const kept = await page.evaluate<string>('JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])');
  expect(kept).not.toContain(secret);
  await page.reload();
  site.expectProblem(/status of 401 .*\/api\/me/);
  await (await tryOut(page, '/api/me')).getByText('"unauthenticated"').waitFor();
});

test('shows the code of the address, and each code that a reader chooses', async () => {
  const page = await openDocs({ at: '/docs#too_fast' });
  await expectInView(page, page.locator('#too_fast:target'));
  await page.getByRole('link', { name: 'bad_request' }).click();
  await expectInView(page, page.locator('#bad_request:target'));
  expect(new URL(page.url()).hash).toBe('#bad_request');
});

test('says that it loads, and that it could not', async () => {
  let opened!: { open: () => void };
  const page = await site.open({
    path: '/docs/',
    prepare: async (page) => void (opened = await hold(page, '**/openapi.json')),
  });
  await page.getByRole('status').getByText('Loading').waitFor();
  expect(await page.getByRole('heading', { name: 'Errors' }).count()).toBe(0);
  opened.open();
  await page.getByRole('heading', { name: 'Errors' }).waitFor();
  expect(await page.getByRole('status').count()).toBe(0);
  site.expectProblem(/status of 503 .*\/openapi\.json/);
  const lost = await site.open({
    path: '/docs',
    prepare: (page) => page.route('**/openapi.json', (route) => route.fulfill({ status: 503 })),
  });
  await lost.getByRole('alert').getByText('could not be loaded').waitFor();
  await expectNoViolations(lost);
});

test('links to the game, the playground and the document', async () => {
  const page = await openDocs();
  const links = await page
    .getByRole('banner')
    .getByRole('link')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(links).toEqual(['/openapi.json', '/playground/', '/']);
});

test('fits every width, also with an answer, and follows the theme', async () => {
  const page = await openDocs({ colorScheme: 'light' });
  const answer = await tryOut(page, '/api/leaderboard');
  await answer.getByText('200', { exact: true }).waitFor();
  for (const width of [320, 390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
  }
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html.dark-mode').waitFor();
  await eventually(async () => (await paper()) === light, false);
});

test('axe finds no violation, but for names that Swagger UI does not give', async () => {
  const page = await openDocs();
  await expectNoViolations(page);
  const answer = await tryOut(page, '/api/leaderboard');
  await answer.getByText('200', { exact: true }).waitFor();
  // The list of a parameter has no label.
  await expectNoViolations(page, { but: ['.parameters-col_description > select'] });
  await operation(page, '/api/leaderboard').locator('.opblock-summary-control').click();
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('.modal-ux').waitFor();
  // The cross has no name, and the button's name does not contain its text.
  await expectNoViolations(page, { but: ['.close-modal', '.modal-ux button[type=submit]'] });
});
