import type { QueryConfig } from 'pg';

/** The name of each statement, by its text. */
const names = new Map<string, string>();

/**
 * Lets PostgreSQL parse and plan a frequent statement once for each connection. Name its columns: a plan does not survive
 * another type of the result.
 * @returns the text
 */
export function named(name: string, text: string): string {
  names.set(text, name);
  return text;
}

/** The statement with its name, or undefined when it has none. */
export function withName(text: unknown, values: unknown): QueryConfig | undefined {
  const name = typeof text === 'string' ? names.get(text) : undefined;
  return name === undefined ? undefined : { name, text: text as string, values: values as unknown[] };
}
