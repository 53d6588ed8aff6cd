import { Logger } from '@nestjs/common';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import { Observed } from '../base/events.js';

/** A statement that has its answer, and its error when it failed. Its values are not here. */
export const statementsEnded = new Observed<{ readonly text: string; readonly ms: number; readonly error?: unknown }>();

/**
 * Runs a frequent statement, which PostgreSQL parses and plans once for each connection, by its name. Name its columns: a plan
 * does not survive another type of the result. TypeORM's `query` takes no name.
 * @returns the rows
 */
export async function run<Row>({ driver }: DataSource, statement: pg.QueryConfig): Promise<Row[]> {
  const client = await (driver as unknown as { master: pg.Pool }).master.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    client.release();
  }
}

/** Sends a statement by the client's own `query`, and publishes its end. */
export function observed(query: pg.ClientBase['query'], given: unknown[]): unknown {
  const send = query as (...given: unknown[]) => unknown;
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
      error: error ? ((error as { code?: string }).code ?? 'failed') : undefined,
    });
  });
}

/**
 * The name of a statement: its verb and what it reads or changes, such as `SELECT player_stats, players`. It holds no value.
 */
export function statementName(statement: string): string {
  const text = statement.replace(COMMENTS_AND_STRINGS, ' ');
  const verb = VERB.exec(text)?.[1]?.toUpperCase() ?? 'EMPTY';
  const defined = new Set([...text.matchAll(DEFINED)].map(([, name]) => name));
  const targets = new Set([...text.matchAll(TARGET)].map(([, name]) => name).filter((name) => !defined.has(name)));
  return `${verb} ${[...targets].join(', ')}`.trim();
}

const COMMENTS_AND_STRINGS = /--[^\n]*|\/\*.*?\*\/|'(?:[^']|'')*'/gs;
const VERB = /^[\s(]*(\w+)/;
const TARGET = /\b(?:from|join|into|update|table)\s+(?:only\s+|lateral\s+)?(?!set\b|json_)"?([a-z_]\w*)"?/gi;
const DEFINED = /\b([a-z_]\w*)\s+as\s+(?:materialized\s+)?\(/gi;
