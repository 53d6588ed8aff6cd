import { expect, it, jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import './testing/browser.js';
import { keepInstallOffer, useInstall } from './install.js';

keepInstallOffer();

const prompt = jest.fn(async () => undefined);

/** What a browser does that offers the installation. */
function offer(): Event {
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  act(() => void window.dispatchEvent(event));
  return event;
}

function Page() {
  const install = useInstall();
  return install && <button onClick={install}>Install</button>;
}

it('keeps the offer until the player asks for it, and uses it once', async () => {
  const event = offer();
  expect(event.defaultPrevented).toBe(true);
  render(<Page />);
  expect(prompt).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Install' }));
  expect(prompt).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('button')).toBeNull();
});

it('takes a later offer, and drops it once the page is installed', () => {
  render(<Page />);
  expect(screen.queryByRole('button')).toBeNull();
  offer();
  expect(screen.getByRole('button', { name: 'Install' })).toBeVisible();
  act(() => void window.dispatchEvent(new Event('appinstalled')));
  expect(screen.queryByRole('button')).toBeNull();
});
