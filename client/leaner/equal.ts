type Fields = Record<string, unknown>;

const definedKeys = (value: Fields) => Object.keys(value).filter((key) => value[key] !== undefined);

/**
 * In place of Apollo's own (see vite.config.ts), which also compares maps, dates, buffers and what goes in circles. Here
 * it compares what JSON can say, options and errors, and functions by their text.
 */
export function equal(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one === 'function' && typeof other === 'function') return String(one) === String(other);
  if (!isObject(one) || !isObject(other) || Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (one instanceof Error) return one.message === other.message;
  const keys = definedKeys(one);
  return keys.length === definedKeys(other).length && keys.every((key) => equal(one[key], other[key]));
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

export default equal;
