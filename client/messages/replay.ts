import { t } from '@lingui/core/macro';
import type { Mark, Square } from '../../game/board.js';
import { squares as names } from './game.js';
import { locale } from './language.js';

/** The messages of a replay, in their own file because they load with its dialog. */
export const messages = {
  title: t`Replay`,
  start: t`Before the first move`,
  at: (move: number, of: number, mark: Mark, at: Square): string => {
    const square = names[at]!;
    return t`Move ${move} of ${of}: ${mark} to ${square}`;
  },
  deciding: (mark: Mark, better: string): string =>
    mark === 'X' ? t`Turning point. Better: ${better}.` : t`Turning point. Better for the bot: ${better}.`,
  decidingMove: t`turning point`,
  noMistake: t`Perfect game: no mistakes.`,
  /** Groups of squares with a name of their own. */
  corners: t`any corner`,
  edges: t`any edge`,
  moves: t`Moves`,
  controls: { first: t`To the start`, previous: t`Previous move`, next: t`Next move`, last: t`To the end` },
  play: t({ message: 'Play', context: 'show the moves of a game one by one' }),
  pause: t`Pause`,
  verified: t`Verified`,
  seedsChanged: t`Warning: the bot's seeds are not those that were fixed when the day began.`,
  verdict: {
    secret: t`This browser can check the bot's moves when today's challenge is over.`,
    abandoned: t`Not finished before its day ended, so it is lost.`,
    differs: t`Warning: this game doesn't match its replay.`,
    reported: t`Only the result was reported, so there are no moves to show.`,
  },
};

/** Names squares in a sentence: "top left or centre". All corners and all edges have a shorter name. */
export function nameSquares(squares: readonly Square[]): string {
  const all = squares.join('');
  if (all === '0268') return messages.corners;
  if (all === '1357') return messages.edges;
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(squares.map((square) => names[square]!));
}
