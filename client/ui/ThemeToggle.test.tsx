import { beforeEach, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import '../testing/browser.js';
import { ThemeToggle } from './ThemeToggle.js';

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset.theme;
});

it('A choice against the system is applied and remembered; choosing what the system says follows it again', async () => {
  render(<ThemeToggle />);
  await userEvent.click(screen.getByRole('button', { name: 'Use the dark theme' }));
  expect(document.documentElement.dataset.theme).toBe('dark');
  expect(localStorage.getItem('tic-tac-toe.theme')).toBe('dark');
  await userEvent.click(screen.getByRole('button', { name: 'Use the light theme' }));
  expect(document.documentElement.dataset.theme).toBeUndefined();
  expect(localStorage.getItem('tic-tac-toe.theme')).toBeNull();
});
