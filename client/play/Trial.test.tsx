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

it('loads the game at the first touch or focus, and not before', async () => {
  const { load } = open();
  expect(load).not.toHaveBeenCalled();
  await user.tab();
  expect(start()).toHaveFocus();
  expect(load).toHaveBeenCalledTimes(1);
});

it('keeps the first press while the game loads', async () => {
  const { arrive } = open();
  const squares = [...start().children];
  await user.click(squares[2]!);
  await user.click(squares[5]!);
  await arrive();
  expect(screen.getByRole('gridcell', { name: 'Top right, X' })).toHaveFocus();
  expect([marks('X'), marks('O')]).toEqual([1, 0]);
});

it('lets the bot answer after half a second', async () => {
  const { arrive } = open();
  await user.click(start().children[0]!);
  await arrive();
  await pass(499);
  expect(screen.getByText("Bot's turn (O)...")).toBeVisible();
  expect(marks('O')).toBe(0);
  await pass(1);
  expect(marks('O')).toBe(1);
  expect(announced()).toMatch(/^Bot marked [a-z ]+\. Your turn \(X\)$/);
});

it('marks nothing at a press of the keyboard, and moves the focus to the board', async () => {
  const { arrive } = open();
  await user.tab();
  await user.keyboard('{Enter}');
  await arrive();
  expect(screen.getByRole('gridcell', { name: 'Centre, empty' })).toHaveFocus();
  expect(screen.getByText('Your turn (X)')).toBeVisible();
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
  expect(screen.getByText('Sign in to keep your score')).toBeVisible();
  expect(announced()).toMatch(/marked [a-z ]+\. (🎊|😢|🤝) .*! Sign in to keep your score$/);
  const end = marks('X');
  for (const square of screen.getAllByRole('gridcell')) await user.click(square);
  await pass(500);
  expect(marks('X')).toBe(end);
});

it('says that the game did not load', async () => {
  const { fail } = open();
  await user.click(start().children[0]!);
  await fail();
  expect(screen.getByRole('alert')).toHaveTextContent('The server could not be reached.');
});
