import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import '../testing/browser.js';
import { aBadge, aFakeServer, answerOfMe, graphqlError, response, SignedIn } from '../testing/server.js';
import { ada } from '../testing/session.js';
import { BADGES } from '../messages/words.js';
import { AccountDialog } from './AccountDialog.js';
import { render } from '../testing/render.js';

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

/** What the server stores about the account. */
let sessions: ReturnType<typeof session>[];
const onSignedOut = jest.fn();
const reauthenticate = jest.fn<() => Promise<void>>();
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

const server = aFakeServer();

beforeEach(() => {
  onSignedOut.mockClear();
  reauthenticate.mockReset().mockResolvedValue();
  fetchExport.mockReset().mockResolvedValue(aFile('{"player":"Ada"}'));
  sessions = [
    session('s-2', 'Safari on iOS'),
    session('s-1', 'Chrome on Linux', { current: true }),
    session('s-3', 'Firefox on Windows'),
  ];
  const myIdentities = [{ __typename: 'Identity', provider: 'google', linkedAt: ago(60) }];
  const badgeDetails = [
    aBadge('first_easy_win', { reached: true, reachedAt: '2026-03-20T12:00:00Z' }),
    aBadge('first_medium_win', { reached: true, reachedAt: '2026-03-21T12:00:00Z' }),
    aBadge('first_hard_draw', { reached: true }),
    aBadge('ten_hard_draws', { progress: 3, goal: 10 }),
  ];
  server.handlers.MyAchievements = () => answerOfMe({ achievements: { __typename: 'Achievements', badgeDetails } });
  server.handlers.MyName = () =>
    answerOfMe({ __typename: 'Me', id: 'p-ada', name: 'Ada Lovelace', nameFrom: 'provider' });
  server.handlers.MyIdentities = () => ({ data: { myIdentities } });
  server.handlers.MySessions = () => ({ data: { mySessions: sessions } });
  server.handlers.EndSession = ({ id }) => ({ data: { endSession: sessions.filter((one) => one.id !== id) } });
  server.handlers.EndOtherSessions = () => ({
    data: { endOtherSessions: sessions.filter(({ current }) => current) },
  });
  server.handlers.SignOutEverywhere = () => ({ data: { signOutEverywhere: true } });
  server.handlers.DeleteAccount = () => ({ data: { deleteAccount: true } });
});

/** The account dialog, open until it closes itself. */
function Page({ returned = '' }) {
  const [open, setOpen] = useState(true);
  const props = { fetchExport, postLink, returned, reauthenticate, onSignedOut, onNamed: async () => undefined };
  return open && <AccountDialog player={ada} {...props} onClose={() => setOpen(false)} />;
}

/** Opens the account, and waits for its answers. */
async function openAccount() {
  const user = userEvent.setup();
  render(<Page />, { wrapper: SignedIn });
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
  return user;
}

const button = (name: string) => screen.getByRole('button', { name });
const region = (name: string) => within(screen.getByRole('region', { name }));
const rows = () => region('Signed-in browsers').getAllByRole('listitem');
const browsers = () => rows().map((row) => within(row).getByText(/ on /).textContent);

it('is one page: who it is with the badges, the sign-in and the data', async () => {
  await openAccount();
  expect(screen.getByRole('dialog', { name: 'Account' })).toBeVisible();
  const headings = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(headings).toEqual([
    'Ada Lovelace',
    'Name on the leaderboard',
    'Badges',
    'Sign-in methods',
    'Signed-in browsers',
    'Language',
    'Your page',
    'Your data',
  ]);
  const who = screen.getByText('Ada Lovelace').closest('.account-who')!;
  expect(who).toHaveTextContent('Ada Lovelaceada@example.comSigned in with Google');
  expect(who).toHaveFocus();
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual([expect.stringMatching(/^\/p\//), '/playground/?open=tokens']);
});

it('shows two of the signed-in browsers, this one first, until the player wants all', async () => {
  const user = await openAccount();
  expect(browsers()).toEqual(['Chrome on Linux', 'Safari on iOS']);
  await user.click(button('Show all 3'));
  expect(screen.getByRole('heading', { name: 'Signed-in browsers' })).toHaveFocus();
  expect(browsers()).toEqual(['Chrome on Linux', 'Safari on iOS', 'Firefox on Windows']);
  const [here, there] = rows().map((row) => within(row));
  expect(here?.getByText('This browser')).toBeVisible();
  expect(here?.queryByRole('button')).toBeNull();
  expect(there?.getByText('3 days ago')).toHaveAttribute('datetime', sessions[0]?.signedInAt);
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
    'First draw on Hard Reached',
    'Ten draws on Hard 3 of 10',
  ]);
});

it('keeps the room of the badges while they load, and says when they or the page cannot be loaded', async () => {
  server.handlers.MyAchievements = server.handlers.MyName = () => graphqlError('INTERNAL_SERVER_ERROR');
  await openAccount();
  expect(await region('Badges').findByRole('alert')).toHaveTextContent('Your badges could not be loaded.');
  expect(await region('Your page').findByRole('alert')).toHaveTextContent('The page could not be loaded.');
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(badges()).toHaveLength(Object.keys(BADGES).length);
});

describe('the name on the leaderboard', () => {
  const named = (name: string, nameFrom: string) => ({ __typename: 'Me', id: 'p-ada', name, nameFrom });

  it('shows why the server refuses one, and no field for a name of a moderator', async () => {
    const refused = { __typename: 'NameRefused', reason: 'too_many_names', message: 'Try again tomorrow.' };
    server.handlers.ChooseName = () => ({ data: { chooseName: refused } });
    const user = await openAccount();
    await user.type(screen.getByRole('textbox'), '!{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Try again tomorrow.');
    cleanup();
    server.handlers.MyName = () => answerOfMe(named('Player One', 'moderator'));
    await openAccount();
    expect(await screen.findByText('A moderator has set this name.')).toBeVisible();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
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

it('explains that an action needs a recent sign-in and offers the same provider', async () => {
  server.handlers.SignOutEverywhere = () => graphqlError('RECENT_SIGN_IN_REQUIRED');
  const user = await openAccount();
  await user.click(button('Sign out everywhere'));
  expect(await screen.findByRole('alert')).toHaveTextContent('please sign in again first');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(onSignedOut).not.toHaveBeenCalled();

  reauthenticate.mockRejectedValueOnce(new Error('blocked'));
  await user.click(button('Sign in again with Google'));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The sign-in could not start.'));
  await user.click(button('Try again'));
  expect(reauthenticate).toHaveBeenCalledTimes(2);
  expect(server.called('SignOutEverywhere')).toBe(1);
});

it('removes a browser that was signed out meanwhile', async () => {
  server.handlers.EndSession = () => graphqlError('NOT_FOUND');
  const user = await openAccount();
  sessions = sessions.filter(({ id }) => id !== 's-2');
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
  await waitFor(() => expect(browsers()).toHaveLength(2));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('dialog')).toContainElement(document.activeElement as HTMLElement);
});

it("explains a failed download, in the server's words if it refused, and offers a retry", async () => {
  fetchExport.mockResolvedValueOnce(response(500, {}));
  const user = await openAccount();
  await user.click(button('Download my data'));
  expect(await screen.findByRole('alert')).toHaveTextContent('Your data could not be downloaded.');
  const error = 'Your data is being downloaded already. Try again when that download has ended.';
  fetchExport.mockResolvedValueOnce(response(429, { error, code: 'export_under_way' }));
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

describe('the sign-in methods', () => {
  it('shows why a link is refused, or that it has expired, and offers nothing else', async () => {
    const refusal = { __typename: 'LinkRefused', reason: 'already_linked', owner: null };
    const pending = { __typename: 'PendingLink', provider: 'google', name: 'Ada', email: null, refusal };
    server.handlers.PendingLink = () => ({ data: { pendingLink: pending } });
    render(<Page returned="?open=account&link=a-code" />, { wrapper: SignedIn });
    const question = await screen.findByRole('group', { name: 'Google is not linked' });
    expect(within(question).getByRole('alert').textContent).toBe('This sign-in method is linked already.');
    await userEvent.click(within(question).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('group')).toBeNull();
    expect(server.calls.find(({ operation }) => operation === 'PendingLink')?.variables).toEqual({ code: 'a-code' });
    cleanup();

    // An old link, or one of another browser.
    server.handlers.PendingLink = () => ({ data: { pendingLink: null } });
    render(<Page returned="?open=account&link=a-code" />, { wrapper: SignedIn });
    expect(await screen.findByRole('alert')).toHaveTextContent('This link has expired. Please start again.');
  });

  const prominent = () =>
    screen
      .getAllByRole('button')
      .filter(({ className }) => className.includes('button-main'))
      .map(({ textContent }) => textContent);

  it('open with the question of a returned link, which has the only prominent button, until Escape', async () => {
    const pendingLink = { __typename: 'PendingLink', provider: 'github', name: 'Ada', email: null, refusal: null };
    server.handlers.PendingLink = () => ({ data: { pendingLink } });
    render(<Page returned="?open=account&link=a-code" />, { wrapper: SignedIn });
    expect(await screen.findByRole('group', { name: 'Link GitHub to this account?' })).toHaveFocus();
    expect(prominent()).toEqual(['Link GitHub']);
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    expect(screen.queryByRole('group')).toBeNull();
    expect(screen.getByRole('heading', { name: 'Sign-in methods' })).toHaveFocus();
    expect(prominent()).toEqual(['Close']);
  });
});
