import { Logger } from '@nestjs/common';
import { LruCache } from '../../base/lru-cache.js';
import { errorCodeOf, statementsEnded } from '../database-events.js';

/** Sends a statement, and publishes its end if anybody wants to know. */
export function observed(send: (...given: unknown[]) => unknown, given: unknown[]): unknown {
  if (!statementsEnded.hasSubscribers) return send(...given);
  const [statement] = given;
  const text = typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text);
  const began = performance.now();
  const end = (error?: unknown) => statementsEnded.publish({ text, ms: performance.now() - began, error });
  const callback = given.at(-1);
  if (typeof callback === 'function') {
    given[given.length - 1] = (error: unknown, ...rest: unknown[]) => {
      end(error ?? undefined);
      (callback as (...answer: unknown[]) => void)(error, ...rest);
    };
  }
  const answer = send(...given);
  if (answer instanceof Promise) answer.then(() => end(), end);
  return answer;
}

/** So slow, in milliseconds, that a player notices. */
const SLOW_MS = 500;

/** Logs each slow statement, by its name: its text could hold values. */
export function logSlowStatements(): void {
  const logger = new Logger('Database');
  statementsEnded.subscribe(({ text, ms, error }) => {
    if (ms < SLOW_MS) return;
    const statement = statementName(text);
    logger.warn({
      event: 'slow_statement',
      statement,
      durationMs: Math.round(ms),
      error: error ? errorCodeOf(error) : undefined,
    });
  });
}

/** The texts whose name is kept. The product sends about a hundred. */
const KEPT_NAMES = 500;
/** The tables and functions in a name. */
const MOST_TARGETS = 4;

const names = new LruCache<string>(KEPT_NAMES);

const COMMENTS_AND_STRINGS = /--[^\n]*|\/\*.*?\*\/|'(?:[^']|'')*'/gs;
const VERB = /^[\s(]*(\w+)/;
const TARGET =
  /\b(?:from|join|into|update|table)\s+(?:only\s+|lateral\s+|rows\s+from\s*\(\s*)*(?!set\b|json_)"?([a-z_]\w*)"?/gi;
const CALLED = /\b(?!select\b)([a-z_]\w*)\s*\(/i;
const DEFINED = /\b([a-z_]\w*)\s+as\s+(?:not\s+materialized\s+|materialized\s+)?\(/gi;

/**
 * The name of a statement: its verb and what it reads or changes, such as `SELECT player_stats, players`. It follows
 * OpenTelemetry's `db.query.summary`, and holds no value.
 */
export function statementName(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = nameOf(text.replace(COMMENTS_AND_STRINGS, ' '));
  names.set(text, name);
  return name;
}

function nameOf(text: string): string {
  const verb = VERB.exec(text)?.[1]?.toUpperCase() ?? 'EMPTY';
  const defined = new Set([...text.matchAll(DEFINED)].map(([, name]) => name!.toLowerCase()));
  const targets = [...text.matchAll(TARGET)]
    .map(([, name]) => name!.toLowerCase())
    .filter((name) => !defined.has(name));
  const [called] = targets.length === 0 && verb === 'SELECT' ? (CALLED.exec(text)?.slice(1) ?? []) : [];
  return [verb, [...new Set(called ? [called] : targets)].slice(0, MOST_TARGETS).join(', ')].filter(Boolean).join(' ');
}
