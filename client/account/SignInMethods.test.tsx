import { expect, it } from '@jest/globals';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import {
  ago,
  isolateAccounts,
  openAccount,
  Page,
  postLink,
  reauthenticate,
  region,
  stored,
} from '../testing/account.js';
import { type FakeServer, response, SignedIn } from '../testing/server.js';

let server: FakeServer;
isolateAccounts((next) => (server = next));

it('offers to unlink one of two sign-in methods, and never the only one', async () => {
  await openAccount();
  const methods = region('Sign-in methods');
  expect(methods.getByRole('button', { name: 'Link GitHub' })).toBeVisible();
  expect(methods.queryByRole('button', { name: /^Unlink/ })).toBeNull();
  cleanup();
  stored.identities.push({ __typename: 'Identity', provider: 'github', linkedAt: ago(5) });
  await openAccount();
  const names = region('Sign-in methods')
    .getAllByRole('button')
    .map((found) => found.getAttribute('aria-label'));
  expect(names).toEqual(['Unlink Google', 'Unlink GitHub']);
});

it('asks for a new sign-in before a link that needs one', async () => {
  postLink.mockResolvedValue(response(403, { error: 'Sign in again.', code: 'recent_sign_in_required' }));
  await openAccount();
  await userEvent.click(screen.getByRole('button', { name: 'Link GitHub' }));
  expect(postLink).toHaveBeenCalledWith('github');
  await userEvent.click(await screen.findByRole('button', { name: /^Sign in again with/ }));
  expect(reauthenticate).toHaveBeenCalledTimes(1);
});

it('shows why a link is refused, and offers nothing else', async () => {
  const refusal = { __typename: 'LinkRefused', message: 'This sign-in method is linked already.' };
  const pending = { __typename: 'PendingLink', provider: 'google', name: 'Ada', email: null, refusal };
  server.handlers.PendingLink = () => ({ data: { pendingLink: pending } });
  render(<Page returned="?open=account&link=a-code" />, { wrapper: SignedIn });
  const question = await screen.findByRole('group', { name: 'Google is not linked' });
  expect(within(question).getByRole('alert').textContent).toBe(refusal.message);
  await userEvent.click(within(question).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('group')).toBeNull();
  expect(server.calls.find(({ operation }) => operation === 'PendingLink')?.variables).toEqual({ code: 'a-code' });
});

const pendingLink = {
  __typename: 'PendingLink',
  provider: 'github',
  name: 'Ada',
  email: null,
  refusal: null,
};
const prominent = () =>
  screen
    .getAllByRole('button')
    .filter(({ className }) => className.includes('button-main'))
    .map(({ textContent }) => textContent);

it('opens with the question of a returned link, which has the only prominent button', async () => {
  server.handlers.PendingLink = () => ({ data: { pendingLink } });
  render(<Page returned="?open=account&link=a-code" />, { wrapper: SignedIn });
  expect(await screen.findByRole('group', { name: 'Link GitHub to this account?' })).toHaveFocus();
  expect(prominent()).toEqual(['Link GitHub']);
});

it('cancels the question at Escape, and gives the focus to the methods', async () => {
  server.handlers.PendingLink = () => ({ data: { pendingLink } });
  render(<Page returned="?open=account&link=a-code" />, { wrapper: SignedIn });
  await screen.findByRole('group');
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  expect(screen.queryByRole('group')).toBeNull();
  expect(screen.getByRole('heading', { name: 'Sign-in methods' })).toHaveFocus();
  expect(prominent()).toEqual(['Close']);
});

it('opens with the reason why a link failed', async () => {
  render(<Page returned="?open=account&link_error=access_denied" />, { wrapper: SignedIn });
  expect(await screen.findByText(/^Sign-in cancelled/)).toBeVisible();
  expect(prominent()).toEqual(['Close']);
});
