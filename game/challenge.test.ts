import { describe, expect, test } from '@jest/globals';
import { SQUARES } from './board.js';
import { botSquare } from './bot.js';
import { CHALLENGE_DIFFICULTIES, countedMoves, parOf } from './challenge.js';
import { bestSquares } from './minimax.js';
import { seededRandom, type Random } from './random.js';
import { replay } from './replay.js';
import { newGame, play, type Result } from './rules.js';

const seedsOf = (day: number): string[] => CHALLENGE_DIFFICULTIES.map((_, at) => `day ${day}, game ${at + 1}`);

/** Plays a day perfectly, without the seeds. Among equal squares the player has a taste, which `random` stands for. */
function playDay(seeds: readonly string[], random: Random) {
  const games = CHALLENGE_DIFFICULTIES.map((difficulty, at) => {
    let game = newGame();
    let moves = 0;
    const mark = (square: number) => {
      const played = play(game, square);
      if (played.ok) game = played.game;
      moves += 1;
    };
    while (game.turn) {
      const best = bestSquares(game.board, 'X', SQUARES.length);
      mark(best[Math.floor(random() * best.length)]!);
      if (game.turn) mark(botSquare({ board: game.board, difficulty, seed: seeds[at]! }));
    }
    const { result } = game.outcome!;
    return { result, moves: countedMoves({ length: moves }, result) };
  });
  const count = (result: Result) => games.filter((game) => game.result === result).length;
  return {
    results: `${count('win')} ${count('draw')}`,
    moves: games.reduce((sum, { moves }) => sum + moves, 0),
    won: games.map(({ result }) => result === 'win'),
  };
}

describe('the moves of the challenge', () => {
  test('are the X’s of a win, and five for every other game', () => {
    expect(countedMoves([4, 0, 2, 1, 6], 'win')).toBe(3);
    expect(countedMoves([4, 0, 8, 2, 1, 7, 3, 5, 6], 'win')).toBe(5);
    expect(countedMoves([0, 3, 1, 4, 8, 5], 'lose')).toBe(5);
    expect(countedMoves([4, 0], null)).toBe(5);
    expect(countedMoves([], null)).toBe(5);
  });

  test('tell apart two perfect players on most days: 1,000 days', () => {
    let [equalResults, equalMoves] = [0, 0];
    for (let day = 0; day < 1_000; day++) {
      const seeds = seedsOf(day);
      const one = playDay(seeds, seededRandom(`one ${day}`));
      const other = playDay(seeds, seededRandom(`other ${day}`));
      if (one.results !== other.results) continue;
      equalResults += 1;
      if (one.moves === other.moves) equalMoves += 1;
    }
    expect({ equalResults, equalMoves }).toEqual({ equalResults: 637, equalMoves: 197 });
  });
});

describe('the par of a day', () => {
  test('is what the fewest moves need, found by trying all lines', () => {
    for (let day = 0; day < 2; day++) {
      const seeds = seedsOf(day);
      const fewest = CHALLENGE_DIFFICULTIES.map((difficulty, at) => {
        const finished = linesOf().map((squares) => replay({ difficulty, seed: seeds[at]!, squares }));
        return Math.min(
          ...finished.map((one) => (one.ok ? countedMoves(one.game.moves, one.game.result) : Number.POSITIVE_INFINITY)),
        );
      });
      expect(parOf(seeds)).toBe(fewest.reduce((sum, moves) => sum + moves));
    }
  });
});

/** All sequences of three and four different squares: a win with five X's counts as much as no win. */
function linesOf(): number[][] {
  const longer = (lines: number[][]) =>
    lines.flatMap((line) => SQUARES.filter((square) => !line.includes(square)).map((square) => [...line, square]));
  const three = longer(longer(longer([[]])));
  return [...three, ...longer(three)];
}
