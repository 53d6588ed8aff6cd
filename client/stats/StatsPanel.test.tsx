import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import '../testing/browser.js';
import { noStats } from '../../game/scoring.js';
import { StatsPanel } from './StatsPanel.js';

const valueOf = (term: string) => screen.getByText(term).nextElementSibling?.textContent;

it('shows score, streak and counts', () => {
  const { container } = render(
    <StatsPanel stats={{ score: -1234567, winStreak: 2, wins: 1041, losses: 3, draws: 0 }} />,
  );
  expect(screen.getByRole('region', { name: 'Your Stats' })).toBeVisible();
  expect(valueOf('Total Score')).toBe('−1,234,567');
  expect(valueOf('Win Streak')).toBe('2/3');
  expect(valueOf('Wins')).toBe('1,041');
  expect(valueOf('Losses')).toBe('3');
  expect(valueOf('Draws')).toBe('0');
  expect(container.querySelectorAll('[data-on="true"]')).toHaveLength(2);
});

it('shows the time of its stats when the server does not answer', () => {
  const { rerender } = render(<StatsPanel stats={noStats} asOf={Date.now() - 5 * 60_000} />);
  expect(screen.getByText(/^Last known/)).toHaveTextContent('Last known · 5 minutes ago');
  rerender(<StatsPanel stats={noStats} asOf={null} />);
  expect(screen.queryByText(/Last known/)).toBeNull();
});

it('shows a whole streak while the board shows the bonus', () => {
  const { rerender } = render(<StatsPanel stats={noStats} bonus />);
  expect(valueOf('Win Streak')).toBe('3/3');
  rerender(<StatsPanel stats={noStats} />);
  expect(valueOf('Win Streak')).toBe('0/3');
});

describe('after a win', () => {
  const before = { ...noStats, score: 7, winStreak: 2, wins: 7 };
  const after = { ...noStats, score: 9, winStreak: 0, wins: 8 };
  const pass = (milliseconds: number) => act(() => jest.advanceTimersByTime(milliseconds));

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  function win(stats = after, from = before) {
    jest.useFakeTimers();
    const { rerender } = render(<StatsPanel stats={from} />);
    rerender(<StatsPanel stats={stats} />);
    return (next: typeof after) => rerender(<StatsPanel stats={next} />);
  }

  it('the score counts up', () => {
    win();
    expect(valueOf('Total Score')).toBe('7');
    pass(180);
    expect(valueOf('Total Score')).toBe('8');
    pass(180);
    expect(valueOf('Total Score')).toBe('9');
  });

  it('a larger rise, as after games in another browser, is shown at once', () => {
    win({ ...before, score: 10 });
    expect(valueOf('Total Score')).toBe('10');
  });

  it('a lower score is shown at once', () => {
    win({ ...before, score: 6 });
    expect(valueOf('Total Score')).toBe('6');
  });
});
