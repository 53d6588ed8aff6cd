import { expect, it, jest } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { aBadge, browsers, isolateAccounts, openAccount, region, rows, stored } from '../testing/account.js';
import type { FakeServer } from '../testing/server.js';
import { graphqlError } from '../testing/server.js';
import { feedbackSwitches } from '../ui/feedbackSwitches.js';

let server: FakeServer;
isolateAccounts((next) => (server = next));

it('has a tab for the player, one for the sign-in and one for the data', async () => {
  const user = await openAccount();
  expect(screen.getByRole('dialog', { name: 'Account' })).toBeVisible();
  const headings = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(headings()).toEqual(['Achievements', 'Sound']);
  expect(screen.getByText('Ada Lovelace')).toBeVisible();
  expect(screen.getByText('ada@example.com')).toBeVisible();
  expect(screen.getByText('Signed in with Google')).toBeVisible();
  await user.click(screen.getByRole('tab', { name: 'Sign-in' }));
  expect(headings()).toEqual(['Sign-in methods', 'Signed-in browsers']);
  await user.click(screen.getByRole('tab', { name: 'Data' }));
  expect(headings()).toEqual(['Your data']);
});

it('shows the signed-in browsers and which one is this', async () => {
  await openAccount('sign-in');
  expect(browsers()).toEqual(['Chrome on Linux', 'Safari on iOS', 'Firefox on Windows']);
  const [here, there] = rows().map((row) => within(row));
  expect(here?.getByText('This browser')).toBeVisible();
  expect(here?.queryByRole('button')).toBeNull();
  expect(there?.getByText('3 days ago')).toHaveAttribute('datetime', stored.sessions[1]?.signedInAt);
  expect(there?.getByText('5 minutes ago')).toBeVisible();
});

const valueOf = (term: string) => region('Achievements').getByText(term).nextElementSibling?.textContent;
const badges = () =>
  region('Achievements')
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent?.trim());

it('shows the draws held in a row, the wins that are possible, and each badge with its date or progress', async () => {
  await openAccount();
  expect(await region('Achievements').findByText('12')).toBeVisible();
  expect(valueOf('Draws in a row on Hard')).toBe('5');
  expect(valueOf('Longest draw streak')).toBe('12');
  expect(valueOf('Wins on Easy')).toBe('1,200');
  expect(valueOf('Wins on Medium')).toBe('7');
  expect(screen.queryByText('Wins on Hard')).toBeNull();
  expect(badges()).toEqual([
    'First win on Easy Mar 20, 2026',
    'First win on Medium Mar 21, 2026',
    'First draw on Hard Not yet',
    'Ten draws on Hard 3 of 10',
  ]);
});

it('shows the badge of a win on Hard only to its owner', async () => {
  stored.achievements.badgeDetails = [aBadge('first_hard_win', { reached: true, reachedAt: '2026-03-20T12:00:00Z' })];
  await openAccount();
  expect(await screen.findByText('First win on Hard')).toBeVisible();
});

it('keeps the room of the numbers while they load, and says when they cannot be loaded', async () => {
  server.handlers.MyAchievements = () => graphqlError('INTERNAL_SERVER_ERROR');
  await openAccount();
  expect(await screen.findByRole('alert')).toHaveTextContent('Your achievements could not be loaded.');
  expect(valueOf('Longest draw streak')).toBe('–');
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
