import { i18n } from '@lingui/core';
import { plural, selectOrdinal, t } from '@lingui/core/macro';
import { CHALLENGE_GAMES } from '../../game/challenge.js';
import { DIFFICULTY_NAMES } from '../messages/words.js';
import { formatNumber } from '../ui/formatNumber.js';
import { HOUR, MINUTE } from '../ui/time/clock.js';
import type { ChallengeGame } from './attempt.js';

/** "5 h 12 min", "12 min" or "less than a minute". */
export function inTime(ms: number): string {
  if (ms < MINUTE) return t`less than a minute`;
  const [hours, minutes] = [Math.floor(ms / HOUR), Math.floor(ms / MINUTE) % 60];
  if (hours === 0) return t`${minutes} min`;
  return minutes === 0 ? t`${hours} h` : t`${hours} h ${minutes} min`;
}

export function sumOf(wins: number, draws: number): string {
  if (draws === 0) return wins === 0 ? t`No wins` : plural(wins, { one: '# win', other: '# wins' });
  if (wins === 0) return plural(draws, { one: '# draw', other: '# draws' });
  return t`${plural(wins, { one: '# win', other: '# wins' })}, ${plural(draws, { one: '# draw', other: '# draws' })}`;
}

export const movesOf = (total: number): string => plural(total, { one: '# move', other: '# moves' });

export function placeToday(place: number, of: number): string {
  const players = formatNumber(of);
  return t`${selectOrdinal(place, { one: '#st', two: '#nd', few: '#rd', other: '#th' })} of ${players} today`;
}

export function gameOf({ number, difficulty }: Pick<ChallengeGame, 'number' | 'difficulty'>): string {
  return t`Game ${number} of ${{ of: CHALLENGE_GAMES }} · ${{ difficulty: i18n._(DIFFICULTY_NAMES[difficulty]) }}`;
}
