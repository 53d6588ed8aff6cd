import { describe, expect, test } from '@jest/globals';
import { emptyBoard, emptySquares, place } from './board.js';
import type { Board, Mark, Square } from './board.js';
import { allPositions, positionAfter, SYMMETRIES, turned } from './position.js';
import { newGame, outcome, play } from './rules.js';

const boardAfter = (squares: readonly Square[]): Board =>
  squares.reduce<Board>((board, square, at) => place(board, square, at % 2 === 0 ? 'X' : 'O'), emptyBoard);

/** An independent minimax without pruning: above 0 when X wins, and the higher the earlier. */
function worth(board: Board, turn: Mark, depth = 1): number {
  const end = outcome(board);
  if (end) return end.winner === 'X' ? 20 - depth : end.winner === 'O' ? depth - 20 : 0;
  const worths = emptySquares(board).map((square) =>
    worth(place(board, square, turn), turn === 'X' ? 'O' : 'X', depth + 1),
  );
  return turn === 'X' ? Math.max(...worths) : Math.min(...worths);
}

const pictures = (squares: readonly Square[]) =>
  Array.from({ length: SYMMETRIES }, (_, symmetry) =>
    boardAfter(turned(squares, symmetry))
      .map((cell) => cell ?? '.')
      .join(''),
  );

describe('the positions', () => {
  test('are 57, and no two are the same up to a symmetry', () => {
    const boards = allPositions().map(({ squares }) => pictures(squares).sort()[0]);
    expect(boards).toHaveLength(57);
    expect(new Set(boards).size).toBe(57);
  });

  test('follow the rules, with X to move and the game not over', () => {
    for (const { squares } of allPositions()) {
      let game = newGame();
      for (const square of squares) {
        const played = play(game, square);
        if (!played.ok) throw new Error(`${squares.join('')}: ${played.reason}`);
        game = played.game;
      }
      expect([squares, game.turn, game.outcome]).toEqual([squares, 'X', null]);
    }
  });

  test('have one move that is better than all others, and do what their task says', () => {
    for (const { squares, task, best } of allPositions()) {
      const board = boardAfter(squares);
      const worths = emptySquares(board).map((square) => ({ square, worth: worth(place(board, square, 'X'), 'O') }));
      const of = (wanted: number) =>
        worths.filter((move) => Math.sign(move.worth) === wanted).map(({ square }) => square);
      if (task === 'save_the_draw') {
        expect([squares, of(1), of(0), of(0).length + of(-1).length]).toEqual([squares, [], [best], worths.length]);
      } else {
        expect([squares, of(1)]).toEqual([squares, [best]]);
        // The answer of O is the second move from here, and the next one of X the third.
        const inTwo = worths.find(({ square }) => square === best)!.worth === 17;
        expect([squares, inTwo ? 'win_in_two' : 'only_one_wins']).toEqual([squares, task]);
      }
    }
  });

  test('have two plausible moves at least', () => {
    for (const { squares, plausible, best } of allPositions()) {
      expect([squares, plausible >= 2 && plausible <= emptySquares(boardAfter(squares)).length]).toEqual([
        squares,
        true,
      ]);
      expect(squares).not.toContain(best);
    }
  });

  test('keep their task in all symmetries', () => {
    for (const { squares, task, best, plausible } of allPositions()) {
      expect(new Set(pictures(squares)).size).toBeGreaterThan(1);
      for (let symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
        const moved = turned(squares, symmetry);
        expect(positionAfter(moved)).toEqual({ squares: moved, task, best: turned([best], symmetry)[0], plausible });
      }
    }
  });

  test('are not boards with a win at hand, with two good moves, or that are lost', () => {
    expect(positionAfter([0, 3, 1, 4])).toBeNull();
    expect(positionAfter([])).toBeNull();
    expect(positionAfter([1, 0, 7, 4, 3, 2])).toBeNull();
  });
});
