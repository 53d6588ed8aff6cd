import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Mark, Square } from '../../game/board.js';
import type { Difficulty } from '../../game/bot.js';
import type { Result } from '../../game/rules.js';

// What several features say.

/** As they stand in a sentence. */
const SQUARES: readonly MessageDescriptor[] = [
  msg`top left`,
  msg`top centre`,
  msg`top right`,
  msg`middle left`,
  msg`centre`,
  msg`middle right`,
  msg`bottom left`,
  msg`bottom centre`,
  msg`bottom right`,
];
export const squareName = (square: Square): string => i18n._(SQUARES[square]!);

export const DIFFICULTY_NAMES: Readonly<Record<Difficulty, MessageDescriptor>> = {
  easy: msg`Easy`,
  medium: msg`Medium`,
  hard: msg`Hard`,
};

export const RESULT_NAMES: Readonly<Record<Result, MessageDescriptor>> = {
  win: msg`Win`,
  lose: msg`Loss`,
  draw: msg`Draw`,
};

/** What the board says about a game that counts. */
export const RESULTS: Readonly<Record<Result, MessageDescriptor>> = {
  win: msg`🎊 YOU WIN! +1 Point`,
  lose: msg`😢 BOT WINS! -1 Point`,
  draw: msg`🤝 IT'S A DRAW!`,
};

/** Of a game without points: a practice game, or one on the login screen. */
export const UNSCORED = { ...RESULTS, win: msg`🎊 YOU WIN!`, lose: msg`😢 BOT WINS!` };

export const TURNS: Readonly<Record<Mark, MessageDescriptor>> = { X: msg`Your turn (X)`, O: msg`Bot's turn (O)...` };

export function marked(mark: Mark | null | undefined, at: Square): string {
  const square = squareName(at);
  return mark === 'X' ? t`You marked ${square}.` : t`Bot marked ${square}.`;
}

/** After "−1", "0", "+1" and "+2". Not a plural: the first paint needs no Intl. */
export function pointsAfter(points: number): string {
  if (Math.abs(points) === 1) return t({ message: 'point', context: 'after −1 or +1' });
  return points ? t({ message: 'points', context: 'after +2' }) : t({ message: 'points', context: 'after 0' });
}

/** The sentence with a name in the place of the tags. Lingui would decode "\u202e" in a value of its own. */
export const named = (name: string, sentence: string): string => sentence.replace(/<0>.*<\/0>/, () => name);

export const BADGES = {
  first_easy_win: msg`First win on Easy`,
  first_medium_win: msg`First win on Medium`,
  first_hard_draw: msg`First draw on Hard`,
  ten_hard_draws: msg`Ten draws on Hard`,
};
