import { expect, it, jest } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Square } from '../../../game/board.js';
import { newGame, play } from '../../../game/rules.js';
import type { Game } from '../../../game/rules.js';
import { Board } from './Board.js';

function after(...squares: number[]): Game {
  return squares.reduce((game, square) => {
    const played = play(game, square);
    if (!played.ok) throw new Error(played.reason);
    return played.game;
  }, newGame());
}

function show(game: Game) {
  const onMark = jest.fn<(square: Square) => void>();
  render(<Board game={game} onMark={onMark} />);
  return { onMark, user: userEvent.setup() };
}

const focused = () => document.activeElement?.getAttribute('aria-label');

it('is a grid of three rows with three named squares each', () => {
  show(after(4, 0));
  const rows = within(screen.getByRole('grid', { name: 'Board' })).getAllByRole('row');
  expect(rows.map((row) => within(row).getAllByRole('gridcell').length)).toEqual([3, 3, 3]);
  expect(screen.getByRole('gridcell', { name: 'Centre, X' })).toHaveAttribute('aria-disabled', 'true');
  expect(screen.getByRole('gridcell', { name: 'Top left, O' })).toHaveAttribute('aria-disabled', 'true');
  expect(screen.getByRole('gridcell', { name: 'Top right, empty' })).toHaveAttribute('aria-disabled', 'false');
});

it('reports a click on a square', async () => {
  const { onMark, user } = show(newGame());
  await user.click(screen.getByRole('gridcell', { name: 'Bottom right, empty' }));
  expect(onMark).toHaveBeenCalledWith(8);
});

it('is one tab stop; arrows, Home and End move inside it', async () => {
  const { user } = show(newGame());
  await user.tab();
  expect(focused()).toBe('Centre, empty');
  for (const [key, name] of [
    ['ArrowUp', 'Top centre, empty'],
    ['ArrowUp', 'Top centre, empty'],
    ['End', 'Top right, empty'],
    ['ArrowRight', 'Top right, empty'],
    ['ArrowDown', 'Middle right, empty'],
    ['Home', 'Middle left, empty'],
    ['ArrowDown', 'Bottom left, empty'],
    ['ArrowRight', 'Bottom centre, empty'],
    ['ArrowLeft', 'Bottom left, empty'],
  ]) {
    await user.keyboard(`{${key}}`);
    expect(focused()).toBe(name);
  }
  await user.tab();
  expect(document.body).toHaveFocus();
});

it('marks the focused square with Enter and Space', async () => {
  const { onMark, user } = show(newGame());
  await user.tab();
  await user.keyboard('{Enter}{ArrowLeft}[Space]');
  expect(onMark.mock.calls).toEqual([[4], [3]]);
});

it('keeps a marked square focusable', async () => {
  const { user } = show(after(4, 0));
  await user.tab();
  expect(focused()).toBe('Centre, X');
});

it('shows the winning line of a finished game and accepts no more marks', () => {
  const { container } = render(<Board game={after(0, 3, 1, 4, 2)} onMark={jest.fn()} />);
  expect(container.querySelector('.winning-line')).toBeInTheDocument();
  for (const square of screen.getAllByRole('gridcell')) expect(square).toHaveAttribute('aria-disabled', 'true');
});
