const format = new Intl.NumberFormat('en');

/** 1,234 and −5, with a real minus sign, which is as wide as a digit. */
export function formatNumber(value: number): string {
  return format.format(value).replace('-', '−');
}

/** +2, 0 and −1. */
export function formatGain(value: number): string {
  return (value > 0 ? '+' : '') + formatNumber(value);
}

const rules = new Intl.PluralRules('en', { type: 'ordinal' });

/** 1,234th. The endings come from the messages of the page. */
export function formatOrdinal(value: number, endings: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>): string {
  return format.format(value) + (endings[rules.select(value)] ?? '');
}
