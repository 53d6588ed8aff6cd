import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import '../testing/browser.js';
import { aGrant, fakeDependencies } from '../testing/session.js';
import { Gate } from './Gate.js';
import { LogoutButton } from './LogoutButton.js';
import { SessionProvider } from './SessionContext.js';
import { Session } from './session.js';

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  sessionStorage.clear();
});
afterEach(() => void jest.useRealTimers());

function open(address?: string, prepare?: (parts: ReturnType<typeof fakeDependencies>) => void) {
  const parts = fakeDependencies(address);
  prepare?.(parts);
  const session = new Session(parts);
  void session.start();
  render(
    <SessionProvider session={session}>
      <Gate>
        <p>The game</p>
        <LogoutButton />
      </Gate>
    </SessionProvider>,
  );
  return parts;
}

const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

it('While the session is looked for there is neither a login screen nor a game', async () => {
  open();
  expect(screen.getByText('Loading...')).toBeVisible();
  expect(screen.getByText('Checking authentication...')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
  await pass(0);
});

it('A visitor sees the login screen and nothing of the game', async () => {
  open();
  await pass(0);
  expect(screen.getByRole('heading', { name: 'Tic-Tac-Toe' })).toBeVisible();
  expect(screen.getByText('Challenge the AI and climb the leaderboard!')).toBeVisible();
  expect(screen.getByText('Secure OAuth 2.0 authentication')).toBeVisible();
  expect(screen.queryByText('The game')).toBeNull();
});

it('A click on a provider says that the way leads there, once', async () => {
  const { page } = open();
  await pass(0);
  jest.useRealTimers();
  await userEvent.click(screen.getByRole('button', { name: 'Continue with GitHub' }));
  expect(screen.getByText('Redirecting to login...')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Continue with GitHub' })).toHaveFocus();
  expect(screen.getByRole('button', { name: 'Continue with Google' })).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Google' }));
  await waitFor(() => expect(page.goTo).toHaveBeenCalledWith(expect.stringContaining('/auth/github?')));
  expect(page.goTo).toHaveBeenCalledTimes(1);
});

it('A failed login is explained on the login screen', async () => {
  open('http://localhost/auth/callback?error=sign_in_failed');
  expect(screen.getByText('Processing authentication...')).toBeVisible();
  await pass(100);
  expect(screen.getByRole('alert')).toHaveTextContent('Login failed. Please try again.');
});

it('A player sees the game, also when a hash in the address has been processed meanwhile', async () => {
  const { page } = open(undefined, ({ api }) => void api.refresh.mockResolvedValue(aGrant()));
  await pass(0);
  const game = screen.getByText('The game');
  page.visit('http://localhost/#');
  page.visit('http://localhost/#x');
  act(() => void window.dispatchEvent(new Event('hashchange')));
  expect(screen.getByText('Processing authentication...')).toBeVisible();
  expect(game).not.toBeVisible();
  await pass(100);
  expect(screen.getByText('The game')).toBe(game);
  expect(game).toBeVisible();
});

it('A logout that cannot reach the server says that the player is still signed in', async () => {
  open(undefined, ({ api }) => {
    api.refresh.mockResolvedValue(aGrant());
    api.signOut.mockRejectedValue(new Error('offline'));
  });
  await pass(0);
  jest.useRealTimers();
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('You are still signed in');
  expect(screen.getByText('The game')).toBeVisible();
});

it('What became of a logout stands long enough to be read, and then goes', async () => {
  open(undefined, ({ api }) => {
    api.refresh.mockResolvedValue(aGrant());
    api.signOut.mockRejectedValue(new Error('offline'));
  });
  await pass(0);
  act(() => screen.getByRole('button', { name: 'Logout' }).click());
  await pass(0);
  await pass(9_999);
  expect(screen.getByRole('alert')).toBeVisible();
  await pass(1);
  expect(screen.queryByRole('alert')).toBeNull();
});
