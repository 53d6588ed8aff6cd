import { describe, expect, test } from '@jest/globals';
import { decidingMove } from './analysis.js';
import { emptySquares, place } from './board.js';
import type { Board, Mark, Square } from './board.js';
import { botSquare } from './bot.js';
import { seededRandom } from './random.js';
import type { Move } from './replay.js';
import { newGame, outcome, play } from './rules.js';
import type { Game } from './rules.js';

/** The moves on these squares, X first, and every board from the empty one on. */
function gameOf(squares: readonly number[]) {
  const games: Game[] = [newGame()];
  const moves: Move[] = squares.map((square) => {
    const { turn } = games.at(-1)!;
    const played = play(games.at(-1)!, square);
    if (!played.ok) throw new Error(`${square}: ${played.reason}`);
    games.push(played.game);
    return { mark: turn!, square: square as Square };
  });
  return { moves, boards: games.map(({ board }) => board), result: games.at(-1)!.outcome?.result };
}

const known = new Map<string, number>();

/** An independent minimax without pruning: 1 when X wins with perfect play of both sides, -1 when O wins, 0 for a draw. */
function worth(board: Board, turn: Mark): number {
  const key = board.map((cell) => cell ?? '.').join('');
  const seen = known.get(key);
  if (seen !== undefined) return seen;
  const end = outcome(board);
  const other = turn === 'X' ? 'O' : 'X';
  const values = end ? [] : emptySquares(board).map((square) => worth(place(board, square, turn), other));
  const value = end
    ? { win: 1, lose: -1, draw: 0 }[end.result]
    : turn === 'X'
      ? Math.max(...values)
      : Math.min(...values);
  known.set(key, value);
  return value;
}

/** Games of two players who click at random. */
function randomGames(count: number): number[][] {
  const random = seededRandom('games');
  return Array.from({ length: count }, () => {
    const squares: number[] = [];
    let game = newGame();
    while (!game.outcome) {
      const empty = emptySquares(game.board);
      const square = empty[Math.floor(random() * empty.length)]!;
      const played = play(game, square);
      if (!played.ok) throw new Error(played.reason);
      squares.push(square);
      game = played.game;
    }
    return squares;
  });
}

const games = randomGames(1_500);

describe('the deciding move', () => {
  test('is the last move after which perfect play gives another result, in 1,500 games', () => {
    const counted = { win: 0, lose: 0, draw: 0, none: 0 };
    for (const squares of games) {
      const { moves, boards, result } = gameOf(squares);
      const worths = boards.map((board, at) => worth(board, at % 2 === 0 ? 'X' : 'O'));
      const expected = worths.findLastIndex((value, at) => at > 0 && value !== worths[at - 1]) - 1;
      const deciding = decidingMove(moves);
      expect([squares, deciding?.at ?? -2]).toEqual([squares, expected]);
      counted[deciding ? result! : 'none']++;
      if (!deciding) continue;
      const { at, mark, square, better } = deciding;
      expect(moves[at]).toEqual({ mark, square });
      expect(better).not.toContain(square);
      // Each better square keeps the result.
      const other = mark === 'X' ? 'O' : 'X';
      const kept = better.map((one) => worth(place(boards[at]!, one, mark), other));
      expect(kept.length).toBeGreaterThan(0);
      expect(new Set(kept)).toEqual(new Set([worths[at]]));
    }
    for (const count of Object.values(counted)) expect(count).toBeGreaterThan(5);
  });

  test('has all best squares, and of several wins the earliest', () => {
    // O threatens to win at 2. Only that square stops O, and it would have won the game for X.
    expect(decidingMove(gameOf([4, 0, 8, 1, 5, 2]).moves)).toEqual({ at: 4, mark: 'X', square: 5, better: [2] });
    // After the centre, an edge loses for O: each corner keeps the draw.
    expect(decidingMove(gameOf([4, 1, 0, 8, 3, 5, 6]).moves)?.better).toEqual([0, 2, 6, 8]);
    // X could win at once with 2, and blocks instead.
    expect(decidingMove(gameOf([0, 3, 1, 4, 5, 2, 6, 7, 8]).moves)).toEqual({
      at: 4,
      mark: 'X',
      square: 5,
      better: [2],
    });
  });

  test('is never one of the hard bot', () => {
    for (const squares of games.slice(0, 100)) {
      const own = squares.filter((_, at) => at % 2 === 0);
      const moves: Move[] = [];
      let game = newGame();
      for (let at = 0; game.turn; at++) {
        const bot = { board: game.board, difficulty: 'hard', seed: 'a seed' } as const;
        const wanted = own.find((square) => game.board[square] === null) ?? emptySquares(game.board)[0]!;
        const square = game.turn === 'X' ? (wanted as Square) : botSquare(bot);
        moves.push({ mark: game.turn, square });
        const played = play(game, square);
        if (!played.ok) throw new Error(played.reason);
        game = played.game;
      }
      expect(decidingMove(moves)?.mark ?? 'X').toBe('X');
    }
  });
});
