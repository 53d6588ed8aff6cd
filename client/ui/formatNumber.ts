import { i18n } from '@lingui/core';

/** In a text from right to left, a sign would stand behind its number without this mark. */
const LEFT_TO_RIGHT = '\u200e';
const sign = (text: string): string => (i18n.locale === 'ar' ? LEFT_TO_RIGHT : '') + text;

/**
 * 1,234 and −5, with a real minus sign, which is as wide as a digit. For whole numbers. English is needed at the first paint,
 * which the browser's first Intl object would delay (docs/decisions/22-what-the-first-move-does-not-need-loads-later.md).
 */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  const digits =
    i18n.locale === 'en-GB'
      ? String(size).replace(/\B(?=(\d{3})+$)/g, ',')
      : new Intl.NumberFormat(i18n.locales).format(size);
  return value < 0 ? sign('−') + digits : digits;
}

/** +2, 0 and −1. */
export function formatGain(value: number): string {
  return (value > 0 ? sign('+') : '') + formatNumber(value);
}
