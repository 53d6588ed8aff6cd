/** @param {readonly number[]} values @param {number} share */
export function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return /** @type {number} */ (sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)]);
}

export const median = (/** @type {readonly number[]} */ values) => quantile(values, 0.5);

export const count = (/** @type {number} */ value) => Math.round(value).toLocaleString('en');

export const ms = (/** @type {number} */ value) => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

/** @param {number} value @param {{ atLeast: number } | { atMost: number }} goal */
export function verdict(value, goal) {
  const met = 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
  return met ? 'met' : 'missed';
}
