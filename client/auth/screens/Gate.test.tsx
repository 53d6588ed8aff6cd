import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import '../../testing/browser.js';
import { aGrant, fakeDependencies } from '../../testing/session.js';
import { Gate } from './Gate.js';
import { LogoutButton } from '../LogoutButton.js';
import { SessionProvider } from '../SessionContext.js';
import { Session } from '../session.js';

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

it('shows neither the login screen nor the game while the session loads', async () => {
  open();
  expect(screen.getByText('Loading...')).toBeVisible();
  expect(screen.getByText('Checking authentication...')).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
  await pass(0);
});

it('shows a visitor the login screen only', async () => {
  open();
  await pass(0);
  expect(screen.getByRole('heading', { name: 'Tic-Tac-Toe' })).toBeVisible();
  expect(screen.getByText('Challenge the AI and climb the leaderboard!')).toBeVisible();
  expect(screen.getByText('Secure OAuth 2.0 authentication')).toBeVisible();
  expect(screen.queryByText('The game')).toBeNull();
});

it('announces the redirect and ignores further clicks', async () => {
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

it('explains a failed sign-in on the login screen', async () => {
  open('http://localhost/auth/callback?error=sign_in_failed');
  expect(screen.getByText('Processing authentication...')).toBeVisible();
  await pass(100);
  expect(screen.getByRole('alert')).toHaveTextContent('Login failed. Please try again.');
});

it('keeps the game while it processes a hash in the address', async () => {
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

it('says that the player is still signed in when a sign-out fails', async () => {
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

it('hides the message about a failed sign-out after ten seconds', async () => {
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
