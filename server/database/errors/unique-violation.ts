import { QueryFailedError } from 'typeorm';

/** Whether the database refused a row because another one has its key. */
export function isUniqueViolation(error: unknown): boolean {
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  return error instanceof QueryFailedError && (error.driverError as { code?: string }).code === '23505';
}
