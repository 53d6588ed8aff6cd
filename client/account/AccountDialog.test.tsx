import { expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import {
  aBadge,
  aFile,
  browsers,
  button,
  fetchExport,
  isolateAccounts,
  onSignedOut,
  openAccount,
  reauthenticate,
  region,
  rows,
  stored,
} from '../testing/account.js';
import { type FakeServer, graphqlError } from '../testing/server.js';
import { feedbackSwitches } from '../ui/switches.js';

let server: FakeServer;
isolateAccounts((next) => (server = next));

it('is one page: who it is with the badges, the sign-in, the sounds and the data', async () => {
  await openAccount();
  expect(screen.getByRole('dialog', { name: 'Account' })).toBeVisible();
  const headings = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(headings).toEqual(['Badges', 'Sign-in methods', 'Signed-in browsers', 'Sound', 'Your data']);
  const who = screen.getByText('Ada Lovelace').closest('div')!;
  expect(who).toHaveTextContent('Ada Lovelaceada@example.comSigned in with Google');
  expect(who).toHaveFocus();
  const [link, ...others] = screen.getAllByRole('link');
  expect(link).toHaveAttribute('href', '/playground/?open=tokens');
  expect(others).toEqual([]);
});

it('shows the signed-in browsers and which one is this', async () => {
  await openAccount();
  expect(browsers()).toEqual(['Chrome on Linux', 'Safari on iOS', 'Firefox on Windows']);
  const [here, there] = rows().map((row) => within(row));
  expect(here?.getByText('This browser')).toBeVisible();
  expect(here?.queryByRole('button')).toBeNull();
  expect(there?.getByText('3 days ago')).toHaveAttribute('datetime', stored.sessions[1]?.signedInAt);
  expect(there?.getByText('5 minutes ago')).toBeVisible();
});

const badges = () =>
  region('Badges')
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent?.trim());

it('shows each badge with its date or progress', async () => {
  await openAccount();
  await screen.findByText('20 Mar 2026');
  expect(badges()).toEqual([
    'First win on Easy 20 Mar 2026',
    'First win on Medium 21 Mar 2026',
    'First draw on Hard Not yet',
    'Ten draws on Hard 3 of 10',
  ]);
});

it('shows the badge of a win on Hard only to its owner', async () => {
  stored.achievements.badgeDetails = [aBadge('first_hard_win', { reached: true, reachedAt: '2026-03-20T12:00:00Z' })];
  await openAccount();
  expect(await screen.findByText('First win on Hard')).toBeVisible();
});

it('keeps the room of the badges while they load, and says when they cannot be loaded', async () => {
  server.handlers.MyAchievements = () => graphqlError('INTERNAL_SERVER_ERROR');
  await openAccount();
  expect(await screen.findByRole('alert')).toHaveTextContent('Your badges could not be loaded.');
  expect(badges()).toHaveLength(4);
});

it('offers vibration on a touch screen that can vibrate', async () => {
  await openAccount();
  expect(screen.queryByRole('checkbox', { name: 'Vibrate' })).toBeNull();
  cleanup();
  const matchMedia = jest.spyOn(window, 'matchMedia');
  matchMedia.mockImplementation(
    (media) => Object.assign(new EventTarget(), { media, matches: true }) as MediaQueryList,
  );
  Object.assign(navigator, { vibrate: () => true });
  const user = await openAccount();
  await user.click(screen.getByRole('checkbox', { name: 'Vibrate' }));
  expect(feedbackSwitches.vibration.isOn()).toBe(true);
  matchMedia.mockRestore();
  Reflect.deleteProperty(navigator, 'vibrate');
});

type User = ReturnType<typeof userEvent.setup>;

it('signs out one browser, announces it and keeps the focus', async () => {
  const user = await openAccount();
  await user.click(button('Sign out Safari on iOS'));
  expect(await screen.findByText('Safari on iOS is signed out.')).toBeInTheDocument();
  expect(browsers()).toEqual(['Chrome on Linux', 'Firefox on Windows']);
  expect(server.calls.at(-1)?.variables).toEqual({ id: 's-2' });
  expect(screen.getByRole('heading', { name: 'Signed-in browsers' })).toHaveFocus();
});

it('signs out all other browsers at once', async () => {
  const user = await openAccount();
  await user.click(button('Sign out all other browsers'));
  expect(await screen.findByText('All other browsers are signed out.')).toBeInTheDocument();
  expect(browsers()).toEqual(['Chrome on Linux']);
  expect(screen.queryByRole('button', { name: 'Sign out all other browsers' })).toBeNull();
});

it.each([
  ['EndSession', 'Sign out Safari on iOS', 'That browser could not be signed out.'],
  ['EndOtherSessions', 'Sign out all other browsers', 'Your other browsers could not be signed out.'],
  ['SignOutEverywhere', 'Sign out everywhere', 'You could not be signed out everywhere.'],
])('shows a message and a retry button when %s fails', async (operation, name, sentence) => {
  server.handlers[operation] = () => graphqlError('INTERNAL_SERVER_ERROR');
  const user = await openAccount();
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
  ['SignOutEverywhere', async (user: User) => user.click(button('Sign out everywhere'))],
  [
    'DeleteAccount',
    async (user: User) => {
      await user.click(button('Delete account'));
      await user.click(button('Delete for good'));
    },
  ],
])('explains that %s needs a recent sign-in and offers the same provider', async (operation, ask) => {
  server.handlers[operation] = () => graphqlError('RECENT_SIGN_IN_REQUIRED');
  const user = await openAccount();
  await ask(user);
  expect(await screen.findByRole('alert')).toHaveTextContent('please sign in again first');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(onSignedOut).not.toHaveBeenCalled();

  reauthenticate.mockRejectedValueOnce(new Error('blocked'));
  await user.click(button('Sign in again with Google'));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The sign-in could not start.'));
  await user.click(button('Try again'));
  expect(reauthenticate).toHaveBeenCalledTimes(2);
  expect(server.called(operation)).toBe(1);
});

it('removes a browser that was signed out meanwhile', async () => {
  server.handlers.EndSession = () => graphqlError('NOT_FOUND');
  const user = await openAccount();
  stored.sessions = stored.sessions.filter(({ id }) => id !== 's-2');
  await user.click(button('Sign out Safari on iOS'));
  expect(await screen.findByText('Safari on iOS is signed out.')).toBeInTheDocument();
  expect(browsers()).toEqual(['Chrome on Linux', 'Firefox on Windows']);
});

it('retries a list that failed to load', async () => {
  const working = server.handlers.MySessions!;
  server.handlers.MySessions = () => graphqlError('INTERNAL_SERVER_ERROR');
  const user = await openAccount();
  expect(await screen.findByRole('alert')).toHaveTextContent('Your signed-in browsers could not be loaded.');
  server.handlers.MySessions = working;
  await user.click(button('Try again'));
  await waitFor(() => expect(browsers()).toHaveLength(3));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement);
});

it("removes a deleted player's data from this browser and keeps other data", async () => {
  const others = ['tic-tac-toe.outbox.p-bob.g', 'tic-tac-toe.theme'];
  for (const key of ['tic-tac-toe.outbox.p-ada.g', 'tic-tac-toe.ticket.p-ada.easy', ...others]) {
    localStorage.setItem(key, '{}');
  }
  const user = await openAccount();
  await user.click(button('Delete account'));
  await user.click(button('Delete for good'));
  expect(onSignedOut).toHaveBeenCalledTimes(1);
  expect(Object.keys(localStorage).sort()).toEqual(others);
});

it.each<[string, () => unknown]>([
  ['the button that keeps it', () => userEvent.click(button('Keep my account'))],
  ['Escape', () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))],
])('cancels the confirmation by %s and keeps the dialog open', async (_, leave) => {
  const user = await openAccount();
  await user.click(button('Delete account'));
  await leave();
  expect(button('Delete account')).toHaveFocus();
  expect(server.called('DeleteAccount')).toBe(0);
});

it("explains a failed download, in the server's words if it refused, and offers a retry", async () => {
  fetchExport.mockResolvedValueOnce({ ok: false, status: 500 } as Response);
  const user = await openAccount();
  await user.click(button('Download my data'));
  expect(await screen.findByRole('alert')).toHaveTextContent('Your data could not be downloaded.');
  const error = 'Your data is being downloaded already. Try again when that download has ended.';
  fetchExport.mockResolvedValueOnce({ ok: false, status: 429, json: async () => ({ error }) } as Response);
  await user.click(button('Try again'));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(error));
  fetchExport.mockRejectedValueOnce(new TypeError('the connection broke'));
  await user.click(button('Try again'));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Your data could not be downloaded.'));
});

it('announces a repeated action again', async () => {
  Object.assign(URL, { createObjectURL: () => 'blob:here', revokeObjectURL: () => undefined });
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const user = await openAccount();
  await user.click(button('Download my data'));
  expect(await screen.findByText('Your data is downloaded.')).toBeInTheDocument();
  let answer: (file: Response) => void = () => undefined;
  fetchExport.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  await user.click(button('Download my data'));
  expect(screen.queryByText('Your data is downloaded.')).toBeNull();
  answer(aFile('{}'));
  expect(await screen.findByText('Your data is downloaded.')).toBeInTheDocument();
});
