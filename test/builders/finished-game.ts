import type { Square } from '../../game/board.js';
import { emptySquares } from '../../game/board.js';
import { botSquare, type Difficulty } from '../../game/bot.js';
import { type Game, newGame, play, type Result } from '../../game/rules.js';

/**
 * The player's own squares of a game that ends with the wanted result, against the bot of this seed.
 * @throws when no such game exists: nobody wins against the hard bot
 */
export function squaresFor({
  difficulty,
  seed,
  result,
}: {
  difficulty: Difficulty;
  seed: string;
  result: Result;
}): Square[] {
  const found = search(newGame(), difficulty, seed, result, []);
  if (!found) throw new Error(`No game against the ${difficulty} bot of seed ${seed} ends with: ${result}`);
  return found;
}

function search(
  game: Game,
  difficulty: Difficulty,
  seed: string,
  wanted: Result,
  squares: Square[],
): Square[] | undefined {
  if (game.outcome) return game.outcome.result === wanted ? squares : undefined;
  for (const square of emptySquares(game.board)) {
    let next = mark(game, square);
    if (!next.outcome) next = mark(next, botSquare({ board: next.board, difficulty, seed }));
    const found = search(next, difficulty, seed, wanted, [...squares, square]);
    if (found) return found;
  }
  return undefined;
}

function mark(game: Game, square: Square): Game {
  const played = play(game, square);
  if (!played.ok) throw new Error(played.reason);
  return played.game;
}
