import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import '../testing/browser.js';
import { aGrant, fakeDependencies } from '../testing/session.js';
import { Gate } from './Gate.js';
import { LogoutButton } from './PlayerBadge.js';
import { SessionContext } from './SessionContext.js';
import { Session } from './session.js';
import { render } from '../testing/render.js';

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
    <SessionContext value={session}>
      <Gate>
        <p>The game</p>
        <LogoutButton />
      </Gate>
    </SessionContext>,
  );
  return parts;
}

const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

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

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8';

it.each([
  [true, `${IPHONE} Mobile/15E148 Instagram 331.0.3.29.89`],
  [true, `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/465.0.0.1]`],
  [true, `${ANDROID}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0 Mobile Safari/537.36`],
  [false, `${ANDROID}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36`],
  [false, `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`],
  // Added to the home screen.
  [false, `${IPHONE} Mobile/15E148`],
])('says before the sign-in that it does not work inside an app: %s for %s', async (refused, userAgent) => {
  const agent = jest.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
  open();
  await pass(0);
  expect(screen.queryAllByText(/^Google sign-in doesn't work inside apps/)).toHaveLength(Number(refused));
  agent.mockRestore();
});
