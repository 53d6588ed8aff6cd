import { describe, expect, test } from '@jest/globals';
import { emptySquares } from './board.js';
import type { Board, Mark } from './board.js';
import { newGame, outcome, play } from './rules.js';
import type { Game } from './rules.js';

/** 'XO. .X. ..O' -> a board. */
function boardOf(picture: string): Board {
  const cells = [...picture.replaceAll(' ', '')].map((cell) => (cell === '.' ? null : (cell as Mark)));
  expect(cells).toHaveLength(9);
  return cells as unknown as Board;
}

function playAll(...squares: number[]): Game {
  return squares.reduce((game, square) => {
    const played = play(game, square);
    if (!played.ok) throw new Error(`${square} was refused: ${played.reason}`);
    return played.game;
  }, newGame());
}

// Known totals: Henry Bottomley, "How many Tic-Tac-Toe (noughts and crosses) games are possible?", 2001.
test('the whole game tree has 255,168 games (131,184 won by X, 77,904 by O, 46,080 drawn) over 5,478 positions', () => {
  const ends = { win: 0, lose: 0, draw: 0 };
  const positions = new Set<string>();
  const walk = (game: Game): void => {
    positions.add(game.board.map((cell) => cell ?? '.').join(''));
    if (game.outcome) {
      ends[game.outcome.result]++;
      return;
    }
    for (const square of emptySquares(game.board)) {
      const played = play(game, square);
      if (played.ok) walk(played.game);
    }
  };
  walk(newGame());

  expect(ends).toEqual({ win: 131_184, lose: 77_904, draw: 46_080 });
  expect(ends.win + ends.lose + ends.draw).toBe(255_168);
  expect(positions.size).toBe(5_478);
});

describe('a game', () => {
  test('starts empty, with X to move', () => {
    expect(newGame()).toEqual({ board: Array(9).fill(null), turn: 'X', outcome: null });
  });

  test('is immutable', () => {
    const before = playAll(4);
    const copy = structuredClone(before);
    play(before, 0);
    play(before, 4);
    expect(before).toEqual(copy);
    for (const frozen of [newGame(), before, before.board]) expect(Object.isFrozen(frozen)).toBe(true);
  });
});

describe('outcome', () => {
  test('returns the first line in the order of LINES when one move completes two', () => {
    expect(outcome(boardOf('XXX XOO XOO'))).toMatchObject({ line: [0, 1, 2] });
    expect(outcome(boardOf('XOX OXO XOX'))).toMatchObject({ line: [0, 4, 8] });
  });
});
