import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import '../../testing/browser.js';
import { ThemeToggle } from './theme.js';
import { render } from '../../testing/render.js';

beforeEach(() => {
  document.head.innerHTML = `
    <meta name="theme-color" content="#fff" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#000" media="(prefers-color-scheme: dark)" />`;
  localStorage.clear();
  delete document.documentElement.dataset.theme;
});

/** Browsers use the first colour that applies; the system is light here. */
const colourOfBar = () => document.querySelector<HTMLMetaElement>('meta:is([media=all], [media*=light])')?.content;

it('stores a choice that differs from the system, and follows the system again after the opposite choice', async () => {
  render(<ThemeToggle />);
  await userEvent.click(screen.getByRole('button', { name: 'Use the dark theme' }));
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe('dark'));
  expect(localStorage.getItem('tic-tac-toe.theme')).toBe('dark');
  expect(colourOfBar()).toBe('#000');
  await userEvent.click(await screen.findByRole('button', { name: 'Use the light theme' }));
  await waitFor(() => expect(document.documentElement.dataset.theme).toBeUndefined());
  expect(localStorage.getItem('tic-tac-toe.theme')).toBeNull();
  expect(colourOfBar()).toBe('#fff');
  expect(document.querySelectorAll('meta')).toHaveLength(2);
});
