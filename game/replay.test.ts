import { describe, expect, test } from '@jest/globals';
import { emptySquares } from './board.js';
import { botSquare, DIFFICULTIES } from './bot.js';
import type { Difficulty } from './bot.js';
import { seededRandom } from './random.js';
import { replay } from './replay.js';
import { newGame, play } from './rules.js';
import type { Game } from './rules.js';

const SEED = '0123456789abcdef0123456789abcdef';
const seeds = (count: number): string[] => Array.from({ length: count }, (_, n) => n.toString(16).padStart(32, '0'));

/** Plays a game like the page does, one click and one bot move at a time, with a player who clicks at random. */
function playLive(difficulty: Difficulty, seed: string) {
  const click = seededRandom(`player of ${seed}`);
  const squares: number[] = [];
  const boards: Game[] = [newGame()];
  const mark = (square: number) => {
    const played = play(boards.at(-1)!, square);
    if (!played.ok) throw new Error(`${square}: ${played.reason}`);
    boards.push(played.game);
  };
  while (!boards.at(-1)!.outcome) {
    const { board, turn } = boards.at(-1)!;
    if (turn === 'X') {
      const empty = emptySquares(board);
      squares.push(empty[Math.floor(click() * empty.length)]!);
      mark(squares.at(-1)!);
    } else mark(botSquare({ board, difficulty, seed }));
  }
  return { squares, game: boards.at(-1)!, marks: boards.length - 1 };
}

describe('a replay', () => {
  test('gives the same game as the page, in 3,000 games', () => {
    const results = new Map<string, number>();
    for (const difficulty of DIFFICULTIES) {
      for (const seed of seeds(1_000)) {
        const live = playLive(difficulty, seed);
        const replayed = replay({ difficulty, seed, squares: live.squares });
        if (!replayed.ok) throw new Error(`${difficulty} ${seed}: ${replayed.reason}`);
        const { board, moves, outcome, result, botMoves } = replayed.game;
        // One comparison a game, or most of the time would go into `expect`.
        expect({
          board,
          outcome,
          result,
          botMoves,
          marks: moves.map(({ mark }) => mark).join(''),
          own: moves.filter((_, at) => at % 2 === 0).map(({ square }) => square),
        }).toEqual({
          board: live.game.board,
          outcome: live.game.outcome,
          result: live.game.outcome?.result,
          botMoves: live.marks - live.squares.length,
          marks: 'XOXOXOXOX'.slice(0, live.marks),
          own: live.squares,
        });
        results.set(`${difficulty} ${result}`, (results.get(`${difficulty} ${result}`) ?? 0) + 1);
      }
    }
    // Every possible result has occurred, and hard never lost.
    expect([...results.keys()].sort()).toEqual([
      'easy draw',
      'easy lose',
      'easy win',
      'hard draw',
      'hard lose',
      'medium draw',
      'medium lose',
      'medium win',
    ]);
  });

  test('is immutable', () => {
    const replayed = replay({ difficulty: 'easy', seed: SEED, squares: playLive('easy', SEED).squares });
    if (!replayed.ok) throw new Error(replayed.reason);
    for (const frozen of [replayed.game, replayed.game.moves, ...replayed.game.moves, replayed.game.board])
      expect(Object.isFrozen(frozen)).toBe(true);
  });
});

describe('a replay refuses', () => {
  const { squares } = playLive('medium', SEED);
  const refusal = (own: readonly number[]) => replay({ difficulty: 'medium', seed: SEED, squares: own });

  test.each([9, -1, 0.5, NaN, '0' as unknown as number, null as unknown as number])(
    '%p, which is not a square, and reports its index',
    (wrong) => {
      expect(refusal([wrong])).toEqual({ ok: false, reason: 'illegal-move', at: 0 });
      expect(refusal([squares[0]!, wrong, ...squares.slice(1)])).toEqual({ ok: false, reason: 'illegal-move', at: 1 });
    },
  );

  test('an unfinished game, with its moves, and a square that the player or the bot has taken', () => {
    const begun = refusal([squares[0]!]);
    if (begun.ok || begun.reason !== 'unfinished') throw new Error('The game is over');
    expect(begun.moves.map(({ mark }) => mark)).toEqual(['X', 'O']);
    for (const { square } of begun.moves)
      expect(refusal([squares[0]!, square])).toEqual({ ok: false, reason: 'illegal-move', at: 1 });
  });

  test('any moves after the end', () => {
    for (const extra of [0, 8, 9, NaN]) {
      expect(refusal([...squares, extra, extra])).toEqual({
        ok: false,
        reason: 'moves-after-end',
        at: squares.length,
      });
    }
  });
});
