import { test } from '@jest/globals';
import { aSite, eventually, fillInProvider, somebody } from '../support/page.js';
import { playGame } from '../support/play.js';
import { Visitor } from '../support/visitor.js';
import { expectFits } from './inView.js';

const site = aSite();

async function aPlayer(provider: 'google' | 'github', ...results: ('win' | 'lose')[]) {
  const person = somebody(provider === 'google' ? 'Ada Lovelace' : 'Grace Hopper');
  const visitor = await new Visitor(site.server).signIn({ provider, ...person });
  for (const result of results) await playGame(site.server, visitor, { result });
  return { visitor, person };
}

test('a player links GitHub to the account and unlinks it, but not one that has its own player', async () => {
  const { visitor, person: ada } = await aPlayer('google', 'win', 'lose');
  const { person: grace } = await aPlayer('github', 'win', 'win', 'win');
  const { page } = await site.openGame({ as: visitor });
  await page.getByRole('button', { name: ', open account' }).click();
  const methods = page.getByRole('dialog').getByRole('region', { name: 'Sign-in methods' });
  const states = () => methods.getByRole('listitem').allInnerTexts();
  const shown = async () =>
    (await states()).map((text) => text.replace(/\s+/g, ' ').replace(/Linked .*?(?= Unlink|$)/, 'Linked'));
  await eventually(shown, ['Google Linked', 'GitHub Not linked Link']);
  await expectFits(page);

  const link = async (choose: () => Promise<unknown>) => {
    await methods.getByRole('button', { name: 'Link GitHub' }).click();
    await page.getByRole('heading', { name: 'Local sign-in' }).waitFor();
    await choose();
    await methods.getByRole('list').waitFor();
    await eventually(() => Promise.resolve(page.url()), `${site.origin}/`);
  };
  await link(() => page.getByRole('button', { name: 'Cancel' }).click());
  await methods.getByText('Sign-in cancelled. Nothing was shared.').waitFor();
  await expectFits(page);

  await link(() => fillInProvider(page, somebody('Annie Easley')));
  const plain = methods.getByRole('group', { name: 'Link GitHub to this account?' });
  await plain.getByText(/^Annie Easley, annie/).waitFor();
  await expectFits(page);
  await plain.getByRole('button', { name: 'Link GitHub' }).click();
  await eventually(shown, ['Google Linked Unlink', 'GitHub Linked Unlink']);
  await expectFits(page);
  await methods.getByRole('button', { name: 'Unlink GitHub' }).click();
  const unlinking = methods.getByRole('group', { name: 'Unlink GitHub?' });
  await expectFits(page);
  await unlinking.getByRole('button', { name: 'Unlink GitHub' }).click();
  await eventually(shown, ['Google Linked', 'GitHub Not linked Link']);
  await page.getByRole('dialog').getByText(ada.email).waitFor();

  await link(() => fillInProvider(page, grace));
  const refused = methods.getByRole('group', { name: 'GitHub is not linked' });
  await refused.getByText(`Grace Hopper, ${grace.email}`).waitFor();
  await refused
    .getByText(/^This GitHub account has its own player here: .*Grace Hopper.*, 3 games\. To link it, /)
    .waitFor();
  await expectFits(page);
  await refused.getByRole('button', { name: 'Close' }).click();
  await eventually(shown, ['Google Linked', 'GitHub Not linked Link']);
});
