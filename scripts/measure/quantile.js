/** The quantile of these numbers, such as 0.5 for the median. */
export function quantile(/** @type {readonly number[]} */ numbers, /** @type {number} */ part) {
  return numbers.toSorted((one, other) => one - other)[Math.ceil(numbers.length * part) - 1] ?? 0;
}
