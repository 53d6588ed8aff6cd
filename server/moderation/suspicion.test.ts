import { expect, test } from '@jest/globals';
import { type Board, emptyBoard, emptySquares, place, type Square } from '../../game/board.js';
import { BOT_MOVE_DELAY, botSquare, type Difficulty } from '../../game/bot.js';
import { bestSquares, WHOLE_GAME } from '../../game/minimax.js';
import { type Random, seededRandom } from '../../game/random.js';
import { outcome } from '../../game/rules.js';
import { squaresFor } from '../../test/builders/finished-game.js';
import { mannerOf, type PlayedGame, playAlike, suspicionOf } from './suspicion.js';

const LIMIT = 100;
const LEAST = 50;
const DAYS = 14;
const DAY = 24 * 60 * 60_000;
const START = Date.parse('2026-11-02T00:00:00Z');

/** How somebody plays. */
interface Habits {
  /** The share of moves that are the best ones. A program that reads the seed knows how to win. */
  readonly strength: number | 'reads the seed';
  /** Milliseconds of thought for a move. */
  readonly think: (random: Random) => number;
  /** Milliseconds between two games. */
  readonly pause: (random: Random) => number;
  readonly games: (random: Random, day: number) => number;
  readonly difficulties: readonly Difficulty[];
}

/** A log-normal time: most are near the middle, and some are much longer. */
const around = (middle: number, spread: number) => (random: Random) => {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return middle * Math.exp(spread * normal);
};
const between = (low: number, high: number) => (random: Random) => low + (high - low) * random();
const oneOf = <T>(items: readonly T[], random: Random) => items[Math.floor(random() * items.length)]!;

function playTwoWeeks(name: string, { strength, think, pause, games, difficulties }: Habits): PlayedGame[] {
  const random = seededRandom(name);
  const played: PlayedGame[] = [];
  for (let day = 0; day < DAYS; day++) {
    let now = START + day * DAY + 18 * 60 * 60_000 + between(0, 4 * 60 * 60_000)(random);
    for (let left = Math.min(LIMIT, Math.round(games(random, day))); left > 0; left--) {
      const difficulty = oneOf(difficulties, random);
      const game = playGame(`${name} ${day} ${left}`, difficulty, strength, random);
      const startedAt = new Date(now);
      for (const at of game.moves.keys()) now += at % 2 === 0 ? think(random) : BOT_MOVE_DELAY;
      played.push({ difficulty, ...game, startedAt, finishedAt: new Date(now) });
      now += pause(random);
    }
  }
  return played;
}

/** @returns the squares of both sides, and how the game ended */
function playGame(seed: string, difficulty: Difficulty, strength: Habits['strength'], random: Random) {
  const known = strength === 'reads the seed' ? [...squaresFor({ difficulty, seed, result: 'win' })] : undefined;
  const choose = (board: Board): Square => {
    if (known) return known.shift()!;
    return oneOf(random() < Number(strength) ? bestSquares(board, 'X', WHOLE_GAME) : emptySquares(board), random);
  };
  const moves: Square[] = [];
  let board = emptyBoard;
  for (let end = outcome(board); ; end = outcome(board)) {
    if (end) return { moves, result: end.result };
    const mark = moves.length % 2 === 0 ? 'X' : 'O';
    const square = mark === 'X' ? choose(board) : botSquare({ board, difficulty, seed });
    board = place(board, square, mark);
    moves.push(square);
  }
}

const isNamed = (games: PlayedGame[]) => suspicionOf(games, LIMIT).score >= LEAST;
const EASY: Difficulty[] = ['easy', 'medium'];

test('names ten programs that play at a steady pace', () => {
  const programs = Array.from({ length: 10 }, (_none, at) =>
    playTwoWeeks(`steady ${at}`, {
      strength: 'reads the seed',
      think: between(600, 640),
      pause: between(900, 1_100),
      games: (_random, day) => (day === 3 ? LIMIT : 0),
      difficulties: EASY,
    }),
  );
  expect(programs.filter(isNamed)).toHaveLength(10);
  expect(suspicionOf(programs[0]!, LIMIT).reasons).toEqual([
    expect.stringMatching(/^[01]\.\d s a move, eight games of ten within \d+ %$/),
    expect.stringMatching(/^pauses of 1\.\d s between games, eight of ten within \d+ %$/),
    'at the daily limit on 1 of 1 days',
  ]);
});

test('names three programs that pause like people, once they have used the daily limit for some days', () => {
  const programs = Array.from({ length: 3 }, (_none, at) =>
    playTwoWeeks(`pausing ${at}`, {
      strength: 'reads the seed',
      think: around(1_500 + 500 * at, 0.5),
      pause: around(4_000, 0.8),
      games: (_random, day) => (day < 5 ? LIMIT : 0),
      difficulties: EASY,
    }),
  );
  expect(programs.filter(isNamed)).toHaveLength(3);
  // After one evening they look like a keen person.
  expect(programs.map((games) => games.slice(0, LIMIT)).filter(isNamed)).toHaveLength(0);
});

test('names none of 200 simulated people of all strengths', () => {
  const people = Array.from({ length: 200 }, (_none, at) => {
    const random = seededRandom(`person ${at}`);
    const keen = at % 20 === 0;
    const usual = between(keen ? 60 : 0, keen ? 130 : 40)(random);
    return playTwoWeeks(`person ${at}`, {
      // Every tenth person plays perfectly, the keen ones among them.
      strength: at % 10 === 0 ? 1 : between(0.2, 0.99)(random),
      think: around(between(500, 4_000)(random), between(0.35, 0.9)(random)),
      pause: around(between(1_500, 10_000)(random), between(0.5, 1.2)(random)),
      games: (r) => (r() < 0.3 ? 0 : around(usual, 0.4)(r)),
      difficulties: oneOf([EASY, ['easy', 'medium', 'hard'], ['hard'], ['medium']], random),
    });
  });
  expect(people.filter(isNamed).map((games) => suspicionOf(games, LIMIT).reasons)).toEqual([]);
});

test('two accounts that play in the same hours at the same pace are alike', () => {
  const habits = (hour: number, pace: number): Habits => ({
    strength: 0.9,
    think: between(pace, pace * 1.2),
    pause: between(900, 1_100),
    games: (_random, day) => (day === hour ? 60 : 0),
    difficulties: EASY,
  });
  const one = playTwoWeeks('one', habits(3, 600));
  const sameHours = one.map((game) => ({ ...game, finishedAt: new Date(game.finishedAt.getTime() + 60) }));
  const isLike = (other: readonly PlayedGame[]) => playAlike(mannerOf(one), mannerOf(other));
  expect(isLike(sameHours)).toBe(true);
  expect(isLike(playTwoWeeks('one', habits(4, 600)))).toBe(false);
  expect(isLike(playTwoWeeks('one', habits(3, 1_200)))).toBe(false);
});

test('the hours of two accounts are alike when seven of ten are common, whatever hours they are', () => {
  const random = seededRandom('hours');
  const at = (hour: number): PlayedGame => {
    const startedAt = new Date(START + hour * 60 * 60_000);
    const finishedAt = new Date(startedAt.getTime() + 4_000);
    return { difficulty: 'easy', result: 'win', moves: [0, 3, 1, 4, 2], startedAt, finishedAt };
  };
  const found = { alike: 0, different: 0 };
  for (let pair = 0; pair < 500; pair++) {
    const [first, last] = [Math.floor(400 * random()), 400 + Math.floor(400 * random())];
    const [one, other] = [0.1, 0.1].map((missing) =>
      Array.from({ length: last - first }, (_none, hour) => first + hour).filter(() => random() > missing),
    ) as [number[], number[]];
    const cut = other.slice(Math.floor(other.length * 0.3 * random()));
    const common = one.filter((hour) => cut.includes(hour)).length;
    const alike = common / new Set([...one, ...cut]).size >= 0.7;
    found[alike ? 'alike' : 'different'] += 1;
    expect(playAlike(mannerOf(one.map(at)), mannerOf(cut.map(at)))).toBe(alike);
    expect(playAlike(mannerOf(cut.map(at)), mannerOf(one.map(at)))).toBe(alike);
  }
  expect(Math.min(found.alike, found.different)).toBeGreaterThan(50);
});

test('no games are not suspicious', () => {
  expect(suspicionOf([], LIMIT)).toEqual({ score: 0, reasons: [] });
});
