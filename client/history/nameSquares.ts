import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import type { Square } from '../../game/board.js';
import { squareName } from '../messages/words.js';

/** Names squares in a sentence: "top left or centre". All corners and all edges have a shorter name. */
export function nameSquares(squares: readonly Square[]): string {
  const all = squares.join('');
  if (all === '0268') return t`any corner`;
  if (all === '1357') return t`any edge`;
  return new Intl.ListFormat(i18n.locales, { type: 'disjunction' }).format(squares.map(squareName));
}
