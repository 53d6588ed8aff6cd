import { Logger } from '@nestjs/common';
import { statementName } from './statement-name.js';
import { statementsEnded } from './database-events.js';

/** Logs each statement that takes this long, by its name: its text could hold values. 0 logs none. */
export function logSlowStatements(limit: number): void {
  if (limit === 0) return;
  const logger = new Logger('Database');
  statementsEnded.subscribe(({ text, ms, error }) => {
    if (ms < limit) return;
    const { code } = (error ?? {}) as { code?: unknown };
    const failed = error ? String(code ?? 'failed') : undefined;
    logger.warn({ event: 'slow_statement', statement: statementName(text), durationMs: Math.round(ms), failed });
  });
}
