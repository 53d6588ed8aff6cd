/** @param {readonly number[]} values @param {number} share */
export function quantile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return /** @type {number} */ (sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)]);
}

export const median = (/** @type {readonly number[]} */ values) => quantile(values, 0.5);

export const count = (/** @type {number} */ value) => Math.round(value).toLocaleString('en');

export const ms = (/** @type {number} */ value) => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

/** A value with its goal. @param {number} value @param {number} limit @param {string} unit */
export const atMost = (value, limit, unit) =>
  `${value.toFixed(value < 10 ? 1 : 0)} ${unit} (≤ ${limit} ${unit}: ${value <= limit ? 'met' : 'missed'})`;
