import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { aSite, eventually, fillInProvider, isOperation, somebody } from '../support/page.js';
import { playGame } from '../support/play.js';
import { Visitor } from '../support/visitor.js';
import { expectNoSidewaysScroll } from './inView.js';

const site = aSite();

const FOLDER = fileURLToPath(new URL('./screenshots/', import.meta.url));
const TAKES_PICTURES = process.env.SCREENSHOTS === '1';
const SIZES = [
  { width: 1280, height: 800 },
  { width: 320, height: 640 },
];

/** Checks the width of a state, and takes its pictures if wanted. */
async function shoot(page: Page, name: string, part: Locator): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expectNoSidewaysScroll(page);
    if (!TAKES_PICTURES) continue;
    mkdirSync(FOLDER, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await part.scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${FOLDER}${size.width}x${size.height}-${colorScheme}-${name}.png` });
    }
  }
}

async function aPlayer(provider: 'google' | 'github', ...results: ('win' | 'lose')[]) {
  const person = somebody(provider === 'google' ? 'Ada Lovelace' : 'Grace Hopper');
  const visitor = await new Visitor(site.server).signIn({ provider, ...person });
  for (const result of results) await playGame(site.server, visitor, { result });
  return { visitor, person };
}

test('a player links GitHub to the account, not one that has its own player, and unlinks', async () => {
  const { visitor, person: ada } = await aPlayer('google', 'win', 'lose');
  const { person: grace } = await aPlayer('github', 'win', 'win', 'win');
  const { page } = await site.openGame({ as: visitor });
  const openMethods = () => page.getByRole('button', { name: ', open account' }).click();
  await openMethods();
  const methods = page.getByRole('dialog').getByRole('region', { name: 'Sign-in methods' });
  const states = () => methods.getByRole('listitem').allInnerTexts();
  const shown = async () =>
    (await states()).map((text) => text.replace(/\s+/g, ' ').replace(/Linked .*?(?= Unlink|$)/, 'Linked'));
  await eventually(shown, ['Google Linked', 'GitHub Not linked Link']);
  await shoot(page, 'account-methods', methods);

  const link = async (choose: () => Promise<unknown>) => {
    await methods.getByRole('button', { name: 'Link GitHub' }).click();
    await page.getByRole('heading', { name: 'Local sign-in' }).waitFor();
    await choose();
    await methods.getByRole('list').waitFor();
    await eventually(() => Promise.resolve(page.url()), `${site.origin}/`);
  };
  await link(() => page.getByRole('button', { name: 'Cancel' }).click());
  await methods.getByText('Sign-in cancelled. Nothing was shared.').waitFor();
  await shoot(page, 'account-link-cancelled', methods.getByRole('alert'));

  await link(() => fillInProvider(page, somebody('Annie Easley')));
  const plain = methods.getByRole('group', { name: 'Link GitHub to this account?' });
  await plain.getByText(/^Annie Easley, annie/).waitFor();
  await shoot(page, 'account-link', plain);
  await page.keyboard.press('Escape');
  await eventually(shown, ['Google Linked', 'GitHub Not linked Link']);

  await link(() => fillInProvider(page, grace));
  const refused = methods.getByRole('group', { name: 'GitHub is not linked' });
  await refused.getByText(`Grace Hopper, ${grace.email}`).waitFor();
  await refused
    .getByText(/^This GitHub account has its own player here: .*Grace Hopper.*, 3 games\. To link it, /)
    .waitFor();
  await shoot(page, 'account-link-refused', refused);
  await refused.getByRole('button', { name: 'Close' }).click();
  await eventually(shown, ['Google Linked', 'GitHub Not linked Link']);

  await link(() => fillInProvider(page, somebody('Annie Easley')));
  await plain.getByRole('button', { name: 'Link GitHub' }).click();
  await eventually(shown, ['Google Linked Unlink', 'GitHub Linked Unlink']);
  await shoot(page, 'account-linked', methods);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await openMethods();
  await methods.getByRole('button', { name: 'Unlink GitHub' }).click();
  const unlinking = methods.getByRole('group', { name: 'Unlink GitHub?' });
  await shoot(page, 'account-unlink', unlinking);
  await unlinking.getByRole('button', { name: 'Unlink GitHub' }).click();
  await eventually(shown, ['Google Linked', 'GitHub Not linked Link']);
  await page.getByRole('dialog').getByText(ada.email).waitFor();
});

test("a link of somebody else's browser shows that it has expired", async () => {
  const { visitor } = await aPlayer('google');
  const page = await site.open({ as: visitor, path: '/?open=account&link=not-a-code' });
  const alert = page.getByRole('dialog').getByRole('alert');
  await eventually(() => alert.allInnerTexts(), ['This link has expired. Please start again.']);
  expect(page.url()).toBe(`${site.origin}/`);
});

test('a dialog that the browser closes without asking is closed for the page too', async () => {
  const { visitor } = await aPlayer('google');
  const refusal = null;
  const pendingLink = { __typename: 'PendingLink', provider: 'github', name: 'Annie Easley', email: null, refusal };
  const prepare = async (page: Page) => {
    await page.route('**/graphql', (route) =>
      isOperation('PendingLink')(route.request())
        ? route.fulfill({ json: { data: { pendingLink } } })
        : route.fallback(),
    );
    // Chromium asks a page only after the player has pressed something on it, and whatever Playwright reads is a press too.
    await page.addInitScript(() => {
      let isDeleting = false;
      new MutationObserver(() => {
        const deletion = document.querySelector<HTMLElement>('.account-delete');
        if (deletion && !isDeleting) {
          isDeleting = true;
          deletion.click();
        }
        const question = document.querySelector('dialog [role=group] b');
        if (question) console.log(question.textContent);
      }).observe(document, { subtree: true, childList: true });
    });
  };
  const page = await site.open({ as: visitor, prepare });
  await page.getByRole('grid', { name: 'Board' }).waitFor();
  const dialog = page.getByRole('dialog');
  const isClosed = () => dialog.waitFor({ state: 'detached' });
  const open = async (name: string) => {
    await page.getByRole('button', { name }).click();
    await dialog.waitFor();
  };

  for (const [query, question] of [
    ['&link=a-code', 'Link GitHub to this account?'],
    ['', 'Delete your account?'],
  ]) {
    const asked = page.waitForEvent('console', (message) => message.text() === question);
    await page.goto(`${site.origin}/?open=account${query}`);
    await asked;
    await page.keyboard.press('Escape');
    await isClosed();
    await open(', open account');
  }
  await page.keyboard.press('Escape');
  await isClosed();

  await open('Leaderboard');
  await dialog.evaluate((element: HTMLDialogElement) => element.close());
  await isClosed();
  await open('Leaderboard');
});
