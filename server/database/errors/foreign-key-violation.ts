import { QueryFailedError } from 'typeorm';

/** Whether the database refused a row because the row that it refers to does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  return error instanceof QueryFailedError && (error.driverError as { code?: string }).code === '23503';
}
