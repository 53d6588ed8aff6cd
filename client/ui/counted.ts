/** "1 game" and "1,234 games", of a whole number that may be formatted. */
export const counted = (count: number | string, noun: string): string =>
  `${count} ${noun}${String(count) === '1' ? '' : 's'}`;
