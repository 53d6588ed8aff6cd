/**
 * 1,234 and −5, with a real minus sign, which is as wide as a digit. For whole numbers. It is needed at the first paint, which
 * the browser's first Intl object would delay (docs/decisions/22-what-the-first-move-does-not-need-loads-later.md).
 */
export function formatNumber(value: number): string {
  return String(value)
    .replace('-', '−')
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** +2, 0 and −1. */
export function formatGain(value: number): string {
  return (value > 0 ? '+' : '') + formatNumber(value);
}

/** 1,234th. The endings come from the messages of the page. */
export function formatOrdinal(value: number, endings: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>): string {
  const rules = new Intl.PluralRules('en-GB', { type: 'ordinal' });
  return formatNumber(value) + (endings[rules.select(value)] ?? '');
}
