import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { userEvent } from '@testing-library/user-event';
import {
  browsers,
  button,
  isolateAccounts,
  onSignedOut,
  openAccount,
  reauthenticate,
  stored,
} from '../testing/account.js';
import type { FakeServer } from '../testing/server.js';
import { graphqlError } from '../testing/server.js';

type User = ReturnType<typeof userEvent.setup>;

let server: FakeServer;
isolateAccounts((next) => (server = next));

it('signs out one browser, announces it and keeps the focus', async () => {
  const user = await openAccount('sign-in');
  await user.click(button('Sign out Safari on iOS'));
  expect(await screen.findByText('Safari on iOS has been signed out.')).toBeInTheDocument();
  expect(browsers()).toEqual(['Chrome on Linux', 'Firefox on Windows']);
  expect(server.calls.at(-1)?.variables).toEqual({ id: 's-2' });
  expect(screen.getByRole('heading', { name: 'Signed-in browsers' })).toHaveFocus();
});

it('signs out all other browsers at once', async () => {
  const user = await openAccount('sign-in');
  await user.click(button('Sign out all other browsers'));
  expect(await screen.findByText('All other browsers have been signed out.')).toBeInTheDocument();
  expect(browsers()).toEqual(['Chrome on Linux']);
  expect(screen.queryByRole('button', { name: 'Sign out all other browsers' })).toBeNull();
});

it.each([
  ['EndSession', 'Sign out Safari on iOS', 'That browser could not be signed out.'],
  ['EndOtherSessions', 'Sign out all other browsers', 'Your other browsers could not be signed out.'],
  ['SignOutEverywhere', 'Sign out everywhere', 'You could not be signed out everywhere.'],
])('shows a message and a retry button when %s fails', async (operation, name, sentence) => {
  server.handlers[operation] = () => graphqlError('INTERNAL_SERVER_ERROR');
  const user = await openAccount('sign-in');
  await user.click(button(name));
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  let answer: (body: object) => void = () => undefined;
  server.handlers[operation] = () => new Promise((resolve) => (answer = resolve));
  await user.click(button('Try again'));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(''));
  expect(button('Try again')).toHaveFocus();
  answer(graphqlError('INTERNAL_SERVER_ERROR'));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(sentence));
  expect(button('Try again')).toHaveFocus();
  expect(server.called(operation)).toBe(2);
  expect(onSignedOut).not.toHaveBeenCalled();
});

it.each([
  ['SignOutEverywhere', 'sign-in', async (user: User) => user.click(button('Sign out everywhere'))],
  [
    'DeleteAccount',
    'data',
    async (user: User) => {
      await user.click(screen.getByRole('tab', { name: 'Data' }));
      await user.click(button('Delete account'));
      await user.click(button('Delete for good'));
    },
  ],
])(
  'explains that %s needs a recent sign-in and offers the same provider, which returns to the tab %s',
  async (operation, tab, ask) => {
    server.handlers[operation] = () => graphqlError('RECENT_SIGN_IN_REQUIRED');
    const user = await openAccount('sign-in');
    await ask(user);
    expect(await screen.findByRole('alert')).toHaveTextContent('this needs a sign-in from the last ten minutes');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    expect(onSignedOut).not.toHaveBeenCalled();

    reauthenticate.mockRejectedValueOnce(new Error('blocked'));
    await user.click(button('Sign in again with Google'));
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The sign-in could not be started.'));
    await user.click(button('Try again'));
    expect(reauthenticate.mock.calls).toEqual([[tab], [tab]]);
    expect(server.called(operation)).toBe(1);
  },
);

it('removes a browser that was signed out meanwhile', async () => {
  server.handlers.EndSession = () => graphqlError('NOT_FOUND');
  const user = await openAccount('sign-in');
  stored.sessions = stored.sessions.filter(({ id }) => id !== 's-2');
  await user.click(button('Sign out Safari on iOS'));
  expect(await screen.findByText('Safari on iOS has been signed out.')).toBeInTheDocument();
  expect(browsers()).toEqual(['Chrome on Linux', 'Firefox on Windows']);
});

it('retries a list that failed to load', async () => {
  const working = server.handlers.MySessions!;
  server.handlers.MySessions = () => graphqlError('INTERNAL_SERVER_ERROR');
  const user = await openAccount('sign-in');
  expect(await screen.findByRole('alert')).toHaveTextContent('Your signed-in browsers could not be loaded.');
  server.handlers.MySessions = working;
  await user.click(button('Try again'));
  await waitFor(() => expect(browsers()).toHaveLength(3));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement);
});
