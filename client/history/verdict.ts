import type { Mark } from '../../game/board.js';
import { replay } from '../../game/replay.js';
import type { HistoryGameFragment } from '../graphql/generated.js';

export type Verdict = 'checked' | 'abandoned' | 'secret' | 'differs' | 'reported';

/**
 * Checks a counted game without trusting the server: replays the player's squares against the bot with the recorded
 * seed, and compares the moves and the result.
 */
export function verdictOn({ difficulty, result, seed, moves, source }: Readonly<HistoryGameFragment>): Verdict {
  if (source === 'reported') return 'reported';
  if (!moves) return 'differs';
  if (seed === null) return 'secret';
  const squares = moves.filter(({ mark }) => mark === 'X').map(({ square }) => square);
  const replayed = replay({ difficulty, seed, squares });
  if (!replayed.ok) return replayed.reason === 'unfinished' && result === 'lose' ? 'abandoned' : 'differs';
  const { game } = replayed;
  return game.result === result && inText(game.moves) === inText(moves) ? 'checked' : 'differs';
}

const inText = (moves: readonly { mark: Mark; square: number }[]) =>
  moves.map(({ mark, square }) => mark + square).join();
