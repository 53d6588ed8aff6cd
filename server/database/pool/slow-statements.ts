import { Logger } from '@nestjs/common';
import { errorCodeOf, statementsEnded } from '../database-events.js';
import { statementName } from './statement-name.js';

/** Logs each statement that takes this long, by its name: its text could hold values. 0 logs none. */
export function logSlowStatements(limit: number): void {
  if (limit === 0) return;
  const logger = new Logger('Database');
  statementsEnded.subscribe(({ text, ms, error }) => {
    if (ms < limit) return;
    const statement = statementName(text);
    logger.warn({
      event: 'slow_statement',
      statement,
      durationMs: Math.round(ms),
      error: error ? errorCodeOf(error) : undefined,
    });
  });
}
