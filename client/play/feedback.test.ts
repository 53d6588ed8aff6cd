import { expect, it, jest } from '@jest/globals';
import type { Square } from '../../game/board.js';
import { noStats } from '../../game/scoring.js';
import { aTicket } from '../testing/game.js';
import { playSound } from './effects.js';
import { feedbackFor } from './feedback.js';
import { markSquare, playBotMove, startRound, type Round } from './round.js';

const stats = { ...noStats, wins: 2, winStreak: 2 };
const ticket = aTicket({ difficulty: 'easy' });

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
  // The bot plays at random, so a draw may come late: sixty games had none now and then.
  for (let games = 0; ends.size < 3 && games < 5_000; games++) {
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

it('sounds again after a call, with a new context: iOS may never resume the interrupted one', () => {
  const node = { connect: () => node, gain: new Proxy({}, { get: () => () => undefined }), start() {}, stop() {} };
  const opened: { state: string }[] = [];
  const open = () => {
    const context = { state: 'running', currentTime: 0, resume: async () => undefined, close: async () => undefined };
    opened.push(context);
    return context;
  };
  Object.assign(globalThis, {
    AudioContext: jest.fn(open),
    OscillatorNode: jest.fn(() => node),
    GainNode: jest.fn(() => node),
  });
  Object.assign(navigator, { userActivation: { hasBeenActive: true } });
  playSound('win');
  playSound('win');
  expect(opened).toHaveLength(1);
  opened[0]!.state = 'interrupted';
  playSound('win');
  expect(opened).toHaveLength(2);
  for (const name of ['AudioContext', 'OscillatorNode', 'GainNode']) Reflect.deleteProperty(globalThis, name);
  Reflect.deleteProperty(navigator, 'userActivation');
});
