import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Square } from '../../game/board.js';
import { noStats } from '../../game/scoring.js';
import { feedbackFor } from './feedback.js';
import { markSquare, playBotMove, startRound, type Round } from './round.js';

const stats = { ...noStats, wins: 2, winStreak: 2 };
const ticket = {
  gameId: 'g',
  difficulty: 'easy',
  seed: 'a seed',
  token: 't',
  expiresAt: '',
  countsFrom: null,
} as const;

/** Every round of a game in which X marks the first empty of these squares each time. */
function rounds(start: Round, squares: readonly Square[]): Round[] {
  const all = [start];
  for (let round = start; !round.game.outcome; all.push(round)) {
    const empty = squares.find((square) => round.game.board[square] === null)!;
    round = round.game.turn === 'X' ? markSquare(round, empty, stats) : playBotMove(round);
  }
  return all;
}

const eventsOf = (all: readonly Round[]) => all.slice(1).map((round, at) => feedbackFor(all[at]!, round));

it('gives one event for each mark, and the result in place of the last', () => {
  const ends = new Set<string>();
  for (let games = 0; games < 60; games++) {
    const events = eventsOf(rounds(startRound('medium', null), [4, 0, 8, 2, 6, 1, 7, 3, 5]));
    events.slice(0, -1).forEach((event, at) => expect(event).toBe(at % 2 === 0 ? 'mark' : 'answer'));
    ends.add(events.at(-1)!);
  }
  expect([...ends].sort()).toEqual(['draw', 'lose', 'win']);
});

it('gives the bonus in place of the win, also when the server reports it later', () => {
  const all = rounds(startRound('easy', ticket), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  const last = all.at(-1)!;
  expect(last.game.outcome?.result).toBe('win');
  expect(eventsOf(all).at(-1)).toBe('bonus');
  expect(feedbackFor({ ...last, bonus: false }, last)).toBe('bonus');
  expect(feedbackFor(last, { ...last, bonus: false })).toBeNull();
});

it('gives nothing for a new game or the same one', () => {
  const [start, marked] = rounds(startRound('easy', null), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(feedbackFor(marked!, startRound('easy', null))).toBeNull();
  expect(feedbackFor(start!, { ...start!, ticket })).toBeNull();
});

describe('The sounds', () => {
  let played: { hertz: number; start: number }[];
  let contexts: number;
  const resume = jest.fn(async () => undefined);

  beforeEach(() => {
    jest.resetModules();
    [played, contexts] = [[], 0];
    const connect = (next: unknown) => next;
    const gain = {
      setValueAtTime: () => gain,
      linearRampToValueAtTime: () => gain,
      exponentialRampToValueAtTime: () => gain,
    };
    Object.assign(globalThis, {
      AudioContext: class {
        readonly currentTime = 10;
        readonly destination = { connect };
        readonly resume = resume;
        constructor() {
          contexts++;
        }
      },
      GainNode: class {
        readonly gain = gain;
        readonly connect = connect;
      },
      OscillatorNode: class {
        readonly connect = connect;
        readonly stop = () => undefined;
        constructor(
          _context: unknown,
          private readonly options: { frequency: number },
        ) {}
        start(at: number) {
          played.push({ hertz: this.options.frequency, start: at });
        }
      },
    });
    Object.assign(navigator, { userActivation: { hasBeenActive: true } });
  });

  afterEach(() => {
    for (const name of ['AudioContext', 'GainNode', 'OscillatorNode']) Reflect.deleteProperty(globalThis, name);
    Reflect.deleteProperty(navigator, 'userActivation');
  });

  it('plays each event with its own notes, in one context', async () => {
    const { playSound } = await import('./effects.js');
    const melodies = (['mark', 'answer', 'win', 'bonus', 'lose', 'draw'] as const).map((event) => {
      played = [];
      playSound(event);
      expect(played[0]?.start).toBe(10);
      return played.map(({ hertz }) => hertz).join(' ');
    });
    expect(new Set(melodies).size).toBe(6);
    expect(contexts).toBe(1);
    expect(resume).toHaveBeenCalledTimes(6);
  });

  it('is silent before a gesture, which browsers ask for', async () => {
    Object.assign(navigator, { userActivation: { hasBeenActive: false } });
    const { playSound } = await import('./effects.js');
    playSound('win');
    expect([contexts, played]).toEqual([0, []]);
  });
});
