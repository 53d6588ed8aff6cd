const format = new Intl.NumberFormat('en');

/** 1,234 and −5 with a real minus sign, which is as wide as a digit. */
export function formatNumber(value: number): string {
  return format.format(value).replace('-', '−');
}
