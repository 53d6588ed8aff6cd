import { QueryFailedError } from 'typeorm';

/** Codes of https://www.postgresql.org/docs/current/errcodes-appendix.html */
const failedWith =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    error instanceof QueryFailedError && codes.includes((error.driverError as { code?: string }).code ?? '');

/** Whether the database refused a row because another one has its key. */
export const isUniqueViolation = failedWith('23505');
/** Whether the database refused a row because the row that it refers to does not exist. */
export const isForeignKeyViolation = failedWith('23503');
/** A transaction that could not be serialised, or a deadlock. PostgreSQL has rolled the transaction back. */
export const isConflict = failedWith('40001', '40P01');
/** Whether another transaction was in the way, so that a repetition can succeed: a conflict, or a lock that took too long. */
export const isLockConflict = failedWith('55P03', '40P01', '40001');
