import type { Mark, Square } from '../../game/board.js';
import { messages as game } from './game.js';

/** The messages of a replay, in their own file because they load with its dialog. */
export const messages = {
  title: 'Replay',
  start: 'Before the first move',
  at: (move: number, of: number, mark: Mark, square: Square): string =>
    `Move ${move} of ${of}: ${mark} to ${game.play.squares[square].toLowerCase()}`,
  deciding: (mark: Mark, better: string): string =>
    `Turning point. Better${mark === 'X' ? '' : ' for the bot'}: ${better}.`,
  decidingMove: 'turning point',
  noMistake: 'Perfect game: no mistakes.',
  /** Groups of squares with a name of their own. */
  corners: 'any corner',
  edges: 'any edge',
  moves: 'Moves',
  controls: { first: 'To the start', previous: 'Previous move', next: 'Next move', last: 'To the end' },
  play: 'Play',
  pause: 'Pause',
  verified: 'Verified',
  seedsChanged: "Warning: the bot's seeds are not those that were fixed when the day began.",
  verdict: {
    secret: "This browser can check the bot's moves when today's challenge is over.",
    abandoned: 'Not finished before its day ended, so it is lost.',
    differs: "Warning: this game doesn't match its replay.",
    reported: 'Only the result was reported, so there are no moves to show.',
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
