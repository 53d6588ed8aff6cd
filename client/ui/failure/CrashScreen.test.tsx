import { expect, it, jest } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import '../../testing/browser.js';
import { CrashScreen } from './CrashScreen.js';

function Broken(): never {
  throw new Error('broken');
}

it('shows a message and a reload button when the page crashes', () => {
  render(
    <CrashScreen>
      <Broken />
    </CrashScreen>,
  );
  expect(screen.getByRole('alert')).toHaveTextContent('Your finished games are safe');
  expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
  expect(console.error).toHaveBeenCalled();
  jest.mocked(console.error).mockClear();
});
