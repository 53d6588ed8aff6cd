import { beforeAll, describe, expect, test } from '@jest/globals';
import { emptySquares, place, SQUARES } from './board.js';
import type { Board, Mark, Square } from './board.js';
import { botSquare, chooseSquare, DIFFICULTIES } from './bot.js';
import type { Difficulty } from './bot.js';
import type { Random } from './random.js';
import { newGame, outcome, play } from './rules.js';
import type { Game } from './rules.js';

const seeds = (count: number): string[] => Array.from({ length: count }, (_, n) => n.toString(16).padStart(32, '0'));
const keyOf = (board: Board): string => board.map((cell) => cell ?? '.').join('');

/** 'XO. .X. ..O' -> a board. */
function boardOf(picture: string): Board {
  const cells = [...picture.replaceAll(' ', '')].map((cell) => (cell === '.' ? null : (cell as Mark)));
  expect(cells).toHaveLength(9);
  return cells as unknown as Board;
}

/** A generator that returns these numbers and then throws, so that a test notices extra calls. */
function numbers(...values: number[]): Random {
  const left = [...values];
  return () => {
    const value = left.shift();
    if (value === undefined) throw new Error('One number too many');
    return value;
  };
}

/** Nine numbers that select every member of any list with up to nine members. */
const NINTHS = SQUARES.map((n) => (n + 0.5) / 9);

/** All squares that the bot can choose here. */
function choices(board: Board, difficulty: Difficulty, smart = true): Square[] {
  const first = difficulty === 'medium' ? [smart ? 0 : 0.5] : [];
  const found = new Set(NINTHS.map((number) => chooseSquare(board, difficulty, numbers(...first, number))));
  return [...found].sort();
}

/** All boards on which O is to move after X has moved first. */
const botBoards: Board[] = [];
beforeAll(() => {
  const found = new Map<string, Board>();
  const walk = ({ board, turn, outcome: end }: Game): void => {
    if (found.has(keyOf(board)) || end) return;
    if (turn === 'O') found.set(keyOf(board), board);
    for (const square of emptySquares(board)) {
      const played = play({ board, turn, outcome: end }, square);
      if (played.ok) walk(played.game);
    }
  };
  walk(newGame());
  botBoards.push(...found.values());
});

/** An independent minimax without pruning: the value of the board for O. */
function worth(board: Board, turn: Mark, played: number, depth: number): number {
  const end = outcome(board);
  if (end?.winner) return end.winner === 'O' ? 100 - played : played - 100;
  if (end || played === depth) return 0;
  const values = emptySquares(board).map((square) =>
    worth(place(board, square, turn), turn === 'O' ? 'X' : 'O', played + 1, depth),
  );
  return turn === 'O' ? Math.max(...values) : Math.min(...values);
}

function bestByReference(board: Board, depth: number): Square[] {
  const rated = emptySquares(board).map((square) => ({
    square,
    value: worth(place(board, square, 'O'), 'X', 1, depth),
  }));
  const best = Math.max(...rated.map(({ value }) => value));
  return rated.filter(({ value }) => value === best).map(({ square }) => square);
}

test('botBoards has every board on which the bot can be to move', () => {
  // 9, 9·C(8,2), the 1,260 with five marks less 120 that X has won, and the 1,140 with seven less 444.
  const byMarks = [1, 3, 5, 7].map(
    (marks) => botBoards.filter((board) => emptySquares(board).length === 9 - marks).length,
  );
  expect(byMarks).toEqual([9, 252, 1140, 696]);
});

describe('easy', () => {
  test('plays every empty square with the same probability', () => {
    // Chi-square over 8,000 seeds; the limits are passed once in 1,000 by an even choice (7, 5, 3 and 1 degrees).
    for (const [board, limit] of [
      [boardOf('... .X. ...'), 24.3],
      [boardOf('O.. .X. X..'), 20.5],
      [boardOf('O.X .X. XO.'), 16.3],
      [boardOf('OXX XX. OO.'), 10.8],
    ] as const) {
      const empty = emptySquares(board);
      const expected = 8_000 / empty.length;
      const counts = new Map(empty.map((square) => [square, 0]));
      for (const seed of seeds(8_000)) {
        const square = botSquare({ board, difficulty: 'easy', seed });
        counts.set(square, counts.get(square)! + 1);
      }
      expect([...counts.keys()]).toEqual(empty);
      expect([...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)).toBeLessThan(limit);
    }
  });

  test('can play every empty square of every board, and no other square', () => {
    for (const board of botBoards) expect(choices(board, 'easy')).toEqual(emptySquares(board));
  });
});

describe('medium', () => {
  test('plays the best squares of minimax, three moves deep, in its smart moves', () => {
    for (const board of botBoards) expect(choices(board, 'medium', true)).toEqual(bestByReference(board, 3));
  });

  test('plays any empty square in its other moves', () => {
    for (const board of botBoards) expect(choices(board, 'medium', false)).toEqual(emptySquares(board));
  });

  test('makes a smart move when the first number is below 0.5', () => {
    const board = boardOf('XX. .O. ...'); // only square 2 stops X; the last number picks the last of the squares
    expect(chooseSquare(board, 'medium', numbers(0.4999999, 0.99))).toBe(2);
    expect(chooseSquare(board, 'medium', numbers(0.5, 0.99))).toBe(8);
  });
});

describe('hard', () => {
  test('plays exactly the best squares of minimax, six moves deep above six empty squares and nine below', () => {
    for (const board of botBoards) {
      expect(choices(board, 'hard')).toEqual(bestByReference(board, emptySquares(board).length > 6 ? 6 : 9));
    }
  });

  test('never loses, whatever X plays and whichever best square the bot chooses', () => {
    const ends = { win: 0, lose: 0, draw: 0 };
    const walk = (game: Game): void => {
      if (game.outcome) {
        ends[game.outcome.result]++;
        return;
      }
      const squares = game.turn === 'X' ? emptySquares(game.board) : choices(game.board, 'hard');
      for (const square of squares) {
        const played = play(game, square);
        if (!played.ok) throw new Error(`${square}: ${played.reason}`);
        walk(played.game);
      }
    };
    walk(newGame());

    expect(ends.win).toBe(0);
    expect(ends.draw).toBeGreaterThan(0);
    expect(ends.lose).toBeGreaterThan(0);
  });
});

describe('when something goes wrong', () => {
  const board = boardOf('XO. .X. ...'); // the first empty square, 2, is not the best one: 8 is, and the only one
  const tied = boardOf('.X. ... ...');

  test('the bot plays the first empty square if the generator throws or gives no number from 0 to below 1', () => {
    for (const wrong of [NaN, 1, -0.1, Infinity]) {
      for (const difficulty of DIFFICULTIES) {
        expect(chooseSquare(board, difficulty, numbers(wrong, wrong))).toBe(2);
        expect(chooseSquare(tied, difficulty, numbers(wrong, wrong))).toBe(0);
      }
      // At the first number alone, or at the second.
      expect(chooseSquare(board, 'medium', numbers(wrong, 0.99))).toBe(2);
      expect(chooseSquare(board, 'medium', numbers(0.9, wrong))).toBe(2);
    }
    for (const difficulty of DIFFICULTIES) expect(chooseSquare(tied, difficulty, numbers())).toBe(0);
    expect(chooseSquare(board, 'medium', numbers(0.9))).toBe(2);
  });

  test('the bot plays the first empty square at a difficulty that does not exist', () => {
    expect(chooseSquare(board, 'impossible' as Difficulty, () => 0.99)).toBe(2);
  });

  test('the bot returns 0 on a full board, and the rules refuse it', () => {
    const full = boardOf('XOX XOO OXX');
    for (const difficulty of DIFFICULTIES) {
      expect(chooseSquare(full, difficulty, () => 0.5)).toBe(0);
      expect(botSquare({ board: full, difficulty, seed: 'a' })).toBe(0);
    }
    expect(play({ board: full, turn: null, outcome: outcome(full) }, 0)).toEqual({ ok: false, reason: 'over' });
  });
});
