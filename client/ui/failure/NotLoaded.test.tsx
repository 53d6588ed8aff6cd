import { expect, it, jest } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Suspense, lazy } from 'react';
import '../../testing/browser.js';
import { NotLoaded } from './NotLoaded.js';

it('shows a dialog over the page when a part fails to load', async () => {
  const Lost = lazy(() => Promise.reject(new Error('offline')));
  const onClose = jest.fn();
  render(
    <>
      <p>the game</p>
      <NotLoaded onClose={onClose}>
        <Suspense>
          <Lost />
        </Suspense>
      </NotLoaded>
    </>,
  );
  expect(await screen.findByRole('alert')).toHaveTextContent('could not be loaded');
  expect(screen.getByText('the game')).toBeVisible();
  expect(console.error).toHaveBeenCalled();
  jest.mocked(console.error).mockClear();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});
