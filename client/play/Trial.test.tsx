import { expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import '../testing/browser.js';
import { Trial } from './Trial.js';
import { TrialGame } from './TrialGame.js';
import { render } from '../testing/render.js';

it('leaves the focus where the visitor has moved it while the game loads', async () => {
  let arrive!: (game: typeof TrialGame) => void;
  const loading = new Promise<typeof TrialGame>((resolve) => (arrive = resolve));
  render(
    <>
      <Trial load={() => loading} />
      <button>elsewhere</button>
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Try a game: you are X' }).children[4]!);
  await userEvent.click(screen.getByRole('button', { name: 'elsewhere' }));
  await act(async () => arrive(TrialGame));
  expect(screen.getByRole('gridcell', { name: 'Centre, X' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'elsewhere' })).toHaveFocus();
});
