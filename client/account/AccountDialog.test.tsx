import { beforeEach, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import '../testing/browser.js';
import { noStats } from '../../game/scoring.js';
import { FakeServer, SignedIn, forgetEverything, graphqlError, response } from '../testing/server.js';
import { ada } from '../testing/session.js';
import { isFeedbackOn } from '../ui/feedbackSwitches.js';
import { AccountDialog } from './AccountDialog.js';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const session = (id: string, browser: string, over: object = {}) => ({
  __typename: 'Session',
  id,
  browser,
  signedInAt: ago(3 * 24 * 60),
  lastSeenAt: ago(5),
  current: false,
  ...over,
});

type User = ReturnType<typeof userEvent.setup>;

const stats = { ...noStats, wins: 1207, easyWins: 1200, mediumWins: 7 };

let server: FakeServer;
let sessions: ReturnType<typeof session>[];
let identities: object[];
let achievements: { badges: string[]; [field: string]: unknown };
const onSignedOut = jest.fn();
const onFeedbackOn = jest.fn<(kind: string) => void>();
const reauthenticate = jest.fn<() => Promise<void>>();
const install = jest.fn();
const fetchExport = jest.fn<() => Promise<Response>>();
const postLink = jest.fn<(provider: string) => Promise<Response>>();

/** The parts of a file response that the page uses. */
const aFile = (text: string) =>
  ({
    ok: true,
    status: 200,
    headers: new Headers({ 'content-disposition': 'attachment; filename="tic-tac-toe-2026-03-20.json"' }),
    blob: async () => new Blob([text], { type: 'application/json' }),
  }) as Response;

beforeEach(() => {
  forgetEverything();
  onSignedOut.mockClear();
  onFeedbackOn.mockClear();
  reauthenticate.mockReset().mockResolvedValue();
  fetchExport.mockReset().mockResolvedValue(aFile('{"player":"Ada"}'));
  sessions = [
    session('s-1', 'Chrome on Linux', { current: true }),
    session('s-2', 'Safari on iOS'),
    session('s-3', 'Firefox on Windows'),
  ];
  identities = [{ __typename: 'Identity', provider: 'google', linkedAt: ago(60) }];
  server = new FakeServer().install();
  achievements = {
    __typename: 'Achievements',
    playerId: 'p-ada',
    hardDraws: 9,
    hardDrawsInARow: 5,
    bestHardDrawsInARow: 12,
    badges: ['first_easy_win', 'first_medium_win', 'first_hard_draw'],
  };
  server.handlers.MyAchievements = () => ({ data: { myAchievements: achievements } });
  server.handlers.MyIdentities = () => ({ data: { myIdentities: identities } });
  server.handlers.MySessions = () => ({ data: { mySessions: sessions } });
  server.handlers.EndSession = ({ id }) => ({ data: { endSession: sessions.filter((one) => one.id !== id) } });
  server.handlers.EndOtherSessions = () => ({ data: { endOtherSessions: sessions.filter(({ current }) => current) } });
  server.handlers.SignOutEverywhere = () => ({ data: { signOutEverywhere: true } });
  server.handlers.DeleteAccount = () => ({ data: { deleteAccount: true } });
});

function Page({ installable = false, returned = '' }) {
  const [open, setOpen] = useState(true);
  const installer = installable ? install : null;
  const props = {
    stats,
    fetchExport,
    postLink,
    returned,
    reauthenticate,
    onSignedOut,
    onFeedbackOn,
    install: installer,
  };
  return open && <AccountDialog player={ada} {...props} onClose={() => setOpen(false)} />;
}

async function open() {
  const user = userEvent.setup();
  render(<Page />, { wrapper: SignedIn });
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
  return user;
}

const button = (name: string) => screen.getByRole('button', { name });
const region = (name: string) => within(screen.getByRole('region', { name }));
const rows = () => region('Signed-in browsers').getAllByRole('listitem');
const browsers = () => rows().map((row) => within(row).getByText(/ on /).textContent);

it('shows the player, the signed-in browsers and which one is this', async () => {
  await open();
  expect(screen.getByRole('dialog', { name: 'Account' })).toBeVisible();
  expect(screen.getByText('Ada Lovelace')).toBeVisible();
  expect(screen.getByText('ada@example.com')).toBeVisible();
  expect(screen.getByText('Signed in with Google')).toBeVisible();
  expect(browsers()).toEqual(['Chrome on Linux', 'Safari on iOS', 'Firefox on Windows']);
  const [here, there] = rows().map((row) => within(row));
  expect(here?.getByText('This browser')).toBeVisible();
  expect(here?.queryByRole('button')).toBeNull();
  expect(there?.getByText('3 days ago')).toHaveAttribute('datetime', sessions[1]?.signedInAt);
  expect(there?.getByText('5 minutes ago')).toBeVisible();
});

const valueOf = (term: string) => region('Achievements').getByText(term).nextElementSibling?.textContent;
const badges = () =>
  region('Achievements')
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

it('shows the draws held in a row, the wins at each difficulty, and the badges', async () => {
  await open();
  expect(await region('Achievements').findByText('12')).toBeVisible();
  expect(valueOf('Draws held in a row on Hard')).toBe('5');
  expect(valueOf('Best ever')).toBe('12');
  expect(valueOf('Wins on Easy')).toBe('1,200');
  expect(valueOf('Wins on Medium')).toBe('7');
  expect(valueOf('Wins on Hard')).toBe('0');
  expect(badges()).toEqual([
    'First win on Easy',
    'First win on Medium',
    'First draw on Hard',
    'Ten draws on Hard, not yet',
    'Seven days of challenge, not yet',
  ]);
});

it('shows the badge of a win on Hard only to its owner', async () => {
  achievements.badges = ['first_hard_win'];
  await open();
  expect(await screen.findByText('First win on Hard')).toBeVisible();
});

it('keeps the room of the numbers while they load, and says when they cannot be loaded', async () => {
  server.handlers.MyAchievements = () => graphqlError('INTERNAL_SERVER_ERROR');
  await open();
  expect(await screen.findByRole('alert')).toHaveTextContent('Your achievements could not be loaded.');
  expect(valueOf('Best ever')).toBe('–');
  expect(badges()).toHaveLength(5);
});

it('has sounds off at first, remembers the choice and lets the player hear it', async () => {
  const user = await open();
  const sounds = screen.getByRole('checkbox', { name: 'Play sounds' });
  expect(sounds).not.toBeChecked();
  await user.click(sounds);
  expect(sounds).toBeChecked();
  expect(onFeedbackOn.mock.calls).toEqual([['sound']]);
  expect(isFeedbackOn('sound')).toBe(true);
  await user.click(sounds);
  expect(onFeedbackOn).toHaveBeenCalledTimes(1);
  expect(isFeedbackOn('sound')).toBe(false);
});

it('offers vibration on a touch screen that can vibrate', async () => {
  await open();
  expect(screen.queryByRole('checkbox', { name: 'Vibrate' })).toBeNull();
  cleanup();
  const matchMedia = jest.spyOn(window, 'matchMedia');
  matchMedia.mockImplementation(
    (media) => Object.assign(new EventTarget(), { media, matches: true }) as MediaQueryList,
  );
  Object.assign(navigator, { vibrate: () => true });
  const user = await open();
  await user.click(screen.getByRole('checkbox', { name: 'Vibrate' }));
  expect(isFeedbackOn('vibration')).toBe(true);
  matchMedia.mockRestore();
  Reflect.deleteProperty(navigator, 'vibrate');
});

it('signs out one browser, announces it and keeps the focus', async () => {
  const user = await open();
  await user.click(button('Sign out Safari on iOS'));
  expect(await screen.findByText('Safari on iOS has been signed out.')).toBeInTheDocument();
  expect(browsers()).toEqual(['Chrome on Linux', 'Firefox on Windows']);
  expect(server.calls.at(-1)?.variables).toEqual({ id: 's-2' });
  expect(screen.getByRole('heading', { name: 'Signed-in browsers' })).toHaveFocus();
});

it('signs out all other browsers at once', async () => {
  const user = await open();
  await user.click(button('Sign out all other browsers'));
  expect(await screen.findByText('All other browsers have been signed out.')).toBeInTheDocument();
  expect(browsers()).toEqual(['Chrome on Linux']);
  expect(screen.queryByRole('button', { name: 'Sign out all other browsers' })).toBeNull();
});

it('signs out everywhere, here too', async () => {
  const user = await open();
  await user.click(button('Sign out everywhere'));
  expect(server.called('SignOutEverywhere')).toBe(1);
  expect(onSignedOut).toHaveBeenCalledTimes(1);
});

it("downloads the export under the server's file name", async () => {
  let file: Blob | undefined;
  const name = jest.fn();
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => ((file = blob), 'blob:here'),
    revokeObjectURL: () => undefined,
  });
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    name(this.download);
  });
  const user = await open();
  await user.click(button('Download my data'));
  expect(await screen.findByText('Your data has been downloaded.')).toBeInTheDocument();
  expect(name).toHaveBeenCalledWith('tic-tac-toe-2026-03-20.json');
  expect(file).toMatchObject({ type: 'application/json', size: '{"player":"Ada"}'.length });
});

it('deletes the account only after a confirmation', async () => {
  const user = await open();
  await user.click(button('Delete account'));
  expect(screen.getByRole('group', { name: /Delete your account\?.*cannot be undone/ })).toHaveFocus();
  expect(server.called('DeleteAccount')).toBe(0);
  await user.click(button('Delete for good'));
  expect(server.called('DeleteAccount')).toBe(1);
  expect(onSignedOut).toHaveBeenCalledTimes(1);
});

it("removes a deleted player's data from this browser and keeps other data", async () => {
  const others = ['tic-tac-toe.outbox.p-bob.g', 'tic-tac-toe.theme'];
  for (const key of ['tic-tac-toe.outbox.p-ada.g', 'tic-tac-toe.ticket.p-ada.easy', ...others]) {
    localStorage.setItem(key, '{}');
  }
  const user = await open();
  await user.click(button('Delete account'));
  await user.click(button('Delete for good'));
  expect(onSignedOut).toHaveBeenCalledTimes(1);
  expect(Object.keys(localStorage).sort()).toEqual(others);
});

it.each<[string, () => unknown]>([
  ['the button that keeps it', () => userEvent.click(button('Keep my account'))],
  ['Escape', () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))],
])('cancels the confirmation by %s and keeps the dialog open', async (_, leave) => {
  const user = await open();
  await user.click(button('Delete account'));
  await leave();
  expect(button('Delete account')).toHaveFocus();
  expect(server.called('DeleteAccount')).toBe(0);
});

it.each([
  ['EndSession', 'Sign out Safari on iOS', 'That browser could not be signed out.'],
  ['EndOtherSessions', 'Sign out all other browsers', 'Your other browsers could not be signed out.'],
  ['SignOutEverywhere', 'Sign out everywhere', 'You could not be signed out everywhere.'],
])('shows a message and a retry button when %s fails', async (operation, name, sentence) => {
  server.handlers[operation] = () => graphqlError('INTERNAL_SERVER_ERROR');
  const user = await open();
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
  const user = await open();
  await ask(user);
  expect(await screen.findByRole('alert')).toHaveTextContent('this needs a sign-in from the last ten minutes');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(onSignedOut).not.toHaveBeenCalled();

  reauthenticate.mockRejectedValueOnce(new Error('blocked'));
  await user.click(button('Sign in again with Google'));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The sign-in could not be started.'));
  await user.click(button('Try again'));
  expect(reauthenticate).toHaveBeenCalledTimes(2);
  expect(server.called(operation)).toBe(1);
});

it("explains a failed download, in the server's words if it refused, and offers a retry", async () => {
  fetchExport.mockResolvedValueOnce({ ok: false, status: 500 } as Response);
  const user = await open();
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

it('removes a browser that was signed out meanwhile', async () => {
  server.handlers.EndSession = () => graphqlError('NOT_FOUND');
  const user = await open();
  sessions = sessions.filter(({ id }) => id !== 's-2');
  await user.click(button('Sign out Safari on iOS'));
  expect(await screen.findByText('Safari on iOS has been signed out.')).toBeInTheDocument();
  expect(browsers()).toEqual(['Chrome on Linux', 'Firefox on Windows']);
});

it('retries a list that failed to load', async () => {
  const working = server.handlers.MySessions!;
  server.handlers.MySessions = () => graphqlError('INTERNAL_SERVER_ERROR');
  const user = await open();
  expect(await screen.findByRole('alert')).toHaveTextContent('Your signed-in browsers could not be loaded.');
  server.handlers.MySessions = working;
  await user.click(button('Try again'));
  await waitFor(() => expect(browsers()).toHaveLength(3));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement);
});

it('offers the installation only where the browser does', async () => {
  const user = userEvent.setup();
  const { rerender } = render(<Page />, { wrapper: SignedIn });
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Install Tic-Tac-Toe' })).toBeNull();
  rerender(<Page installable />);
  expect(install).not.toHaveBeenCalled();
  await user.click(button('Install Tic-Tac-Toe'));
  expect(install).toHaveBeenCalledTimes(1);
  // The button disappears after use.
  rerender(<Page />);
  await waitFor(() => expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement));
});

it('announces a repeated action again', async () => {
  Object.assign(URL, { createObjectURL: () => 'blob:here', revokeObjectURL: () => undefined });
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const user = await open();
  await user.click(button('Download my data'));
  expect(await screen.findByText('Your data has been downloaded.')).toBeInTheDocument();
  let answer: (file: Response) => void = () => undefined;
  fetchExport.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  await user.click(button('Download my data'));
  expect(screen.queryByText('Your data has been downloaded.')).toBeNull();
  answer(aFile('{}'));
  expect(await screen.findByText('Your data has been downloaded.')).toBeInTheDocument();
});

it('offers to unlink one of two sign-in methods, and never the only one', async () => {
  await open();
  const methods = region('Sign-in methods');
  expect(methods.getByRole('button', { name: 'Link GitHub' })).toBeVisible();
  expect(methods.queryByRole('button', { name: /^Unlink/ })).toBeNull();
  cleanup();
  identities.push({ __typename: 'Identity', provider: 'github', linkedAt: ago(5) });
  await open();
  const names = region('Sign-in methods')
    .getAllByRole('button')
    .map((found) => found.getAttribute('aria-label'));
  expect(names).toEqual(['Unlink Google', 'Unlink GitHub']);
});

it('asks for a new sign-in before a link that needs one', async () => {
  postLink.mockResolvedValue(response(403, { error: 'Sign in again.', code: 'recent_sign_in_required' }));
  render(<Page />, { wrapper: SignedIn });
  await userEvent.click(await screen.findByRole('button', { name: 'Link GitHub' }));
  expect(postLink).toHaveBeenCalledWith('github');
  await userEvent.click(await screen.findByRole('button', { name: /^Sign in again with/ }));
  expect(reauthenticate).toHaveBeenCalledTimes(1);
});

it('shows why a link is refused, and offers nothing else', async () => {
  const refusal = { __typename: 'LinkRefused', message: 'This sign-in method is linked already.' };
  const pending = { __typename: 'PendingLink', provider: 'google', name: 'Ada', email: null, other: null, refusal };
  server.handlers.PendingLink = () => ({ data: { pendingLink: pending } });
  render(<Page returned="?open=account&link=a-code" />, { wrapper: SignedIn });
  const question = await screen.findByRole('group', { name: 'Link Google to this account?' });
  expect(within(question).getByRole('alert').textContent).toBe(refusal.message);
  await userEvent.click(within(question).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('group')).toBeNull();
  expect(server.calls.find(({ operation }) => operation === 'PendingLink')?.variables).toEqual({ code: 'a-code' });
});
