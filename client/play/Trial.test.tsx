import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import '../testing/browser.js';
import { Trial } from './Trial.js';
import { TrialGame } from './TrialGame.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const user = userEvent.setup({ advanceTimers: (milliseconds) => jest.advanceTimersByTime(milliseconds) });
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const start = () => screen.getByRole('button', { name: 'Try a game: you are X' });
const marks = (mark: 'X' | 'O') => screen.queryAllByRole('gridcell', { name: new RegExp(`, ${mark}$`) }).length;
const announced = () => document.querySelector('[data-announcer]')?.textContent;

function open() {
  let loaded!: (game: typeof TrialGame) => void;
  let failed!: () => void;
  const loading = new Promise<typeof TrialGame>((resolve, reject) => ([loaded, failed] = [resolve, reject]));
  const load = jest.fn(() => loading);
  render(<Trial load={load} />);
  return { load, arrive: () => act(async () => loaded(TrialGame)), fail: () => act(async () => failed()) };
}

it('keeps the first press while the game loads', async () => {
  const { arrive } = open();
  const squares = [...start().children];
  await user.click(squares[2]!);
  await user.click(squares[5]!);
  await arrive();
  expect(screen.getByRole('gridcell', { name: 'Top right, X' })).toHaveFocus();
  expect([marks('X'), marks('O')]).toEqual([1, 0]);
});

it('leaves the focus where the visitor has moved it meanwhile', async () => {
  const { arrive } = open();
  render(<button>elsewhere</button>);
  await user.click(start().children[4]!);
  await user.click(screen.getByRole('button', { name: 'elsewhere' }));
  await arrive();
  expect(screen.getByRole('button', { name: 'elsewhere' })).toHaveFocus();
});

it('says how the one game ended, and asks for a sign-in', async () => {
  const { arrive } = open();
  await user.click(start().children[0]!);
  await arrive();
  await pass(500);
  while (screen.queryByText('Your turn (X)')) {
    await user.click(screen.getAllByRole('gridcell', { name: /, empty$/ })[0]!);
    await pass(500);
  }
  expect(screen.getByText(/^(🎊 YOU WIN!|😢 BOT WINS!|🤝 IT'S A DRAW!)$/)).toBeVisible();
  expect(screen.getByText('Sign in to play for points')).toBeVisible();
  expect(announced()).toMatch(/marked [a-z ]+\. (🎊|😢|🤝) .*! Sign in to play for points$/);
  const end = marks('X');
  for (const square of screen.getAllByRole('gridcell')) await user.click(square);
  await pass(500);
  expect(marks('X')).toBe(end);
});
