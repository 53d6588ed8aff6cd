import { beforeEach, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import '../../testing/browser.js';
import { PROVIDER, clearDeletedPlayer } from '../../playerStorage.js';
import { LoginScreen } from './LoginScreen.js';

beforeEach(() => localStorage.clear());

const open = () => render(<LoginScreen error={null} redirecting={false} onSignIn={() => undefined} />);

it('marks the provider of the last sign-in without changing the name of its button', () => {
  localStorage.setItem(PROVIDER, 'github');
  open();
  expect(screen.getByRole('button', { name: 'Continue with GitHub' })).toHaveAccessibleDescription('Last used');
  expect(screen.getByRole('button', { name: 'Continue with Google' })).not.toHaveAccessibleDescription();
});

it.each([
  ['before the first sign-in', () => undefined],
  ['for an unknown provider', () => localStorage.setItem(PROVIDER, '<b>other</b>')],
  [
    'after the account was deleted',
    () => {
      localStorage.setItem(PROVIDER, 'google');
      clearDeletedPlayer('p-ada');
    },
  ],
])('marks no provider %s', (_, prepare) => {
  prepare();
  open();
  expect(screen.queryByText('Last used')).toBeNull();
});
