import { expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
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
