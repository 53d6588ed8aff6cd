import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import '../testing/browser.js';
import { noStats } from '../../game/scoring.js';
import { StatsPanel } from './StatsPanel.js';
import { render } from '../testing/render.js';

const valueOf = (term: string) => screen.getByText(term).nextElementSibling?.textContent;

describe('a changed score', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it.each([
    ['counts up after a win', 9, ['7', '8', '9']],
    ['is shown at once after a larger rise, as after games in another browser', 10, ['10']],
    ['is shown at once when it is lower', 6, ['6']],
  ])('%s', (_, score, shown) => {
    const { rerender } = render(<StatsPanel stats={{ ...noStats, score: 7 }} />);
    rerender(<StatsPanel stats={{ ...noStats, score }} />);
    for (const value of shown) {
      expect(valueOf('Total Score')).toBe(value);
      act(() => jest.advanceTimersByTime(180));
    }
  });
});
