import type { Mark, Square } from '../../game/board.js';
import type { Result } from '../../game/rules.js';
import { messages as game } from './game.js';

/** The messages of a replay, in their own file because they load with its dialog. */
export const messages = {
  title: 'Replay',
  start: 'Before the first move',
  at: (move: number, of: number, mark: Mark, square: Square): string =>
    `Move ${move} of ${of}: ${mark} to ${game.play.squares[square].toLowerCase()}`,
  deciding: (mark: Mark, better: string): string =>
    `Deciding move. Better for ${mark === 'X' ? 'you' : 'the bot'}: ${better}.`,
  decidingMove: 'the deciding move',
  noMistake: 'No deciding move: neither side made a mistake.',
  /** Groups of squares with a name of their own. */
  corners: 'any corner',
  edges: 'any edge',
  moves: 'Moves',
  controls: { first: 'To the start', previous: 'Previous move', next: 'Next move', last: 'To the end' },
  play: 'Play',
  pause: 'Pause',
  seedsFixed: "The bot's seeds are those that were fixed when the day began.",
  seedsChanged: "Warning: the bot's seeds are not those that were fixed when the day began.",
  verdict: {
    checked: (result: Result): string =>
      `Verified: this browser replayed the game and got the same moves. Result: ${game.history.result[result].toLowerCase()}.`,
    secret: 'The seed of a challenge game is public after the day. Then this browser can check the game.',
    abandoned: 'This game was not finished before its day ended, so it is lost.',
    differs: 'Warning: a replay in this browser does not match the recorded game.',
    reported: 'Only the result of this game was reported, so there are no moves to show or check.',
  },
} as const;

/** Names squares in a sentence: "top left or centre". All corners and all edges have a shorter name. */
export function nameSquares(squares: readonly Square[]): string {
  const all = squares.join('');
  if (all === '0268') return messages.corners;
  if (all === '1357') return messages.edges;
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    squares.map((square) => game.play.squares[square].toLowerCase()),
  );
}
