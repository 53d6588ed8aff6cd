import type { QueryRunner } from 'typeorm';

/**
 * Creates an index while requests go on. For a migration with `transaction = false`, which may run again after a crash: a
 * finished index stays, and the unfinished one of a crashed attempt is replaced.
 * @param definition what follows the name, such as `ON games (player_id, number)`
 */
export async function createIndexConcurrently(
  runner: QueryRunner,
  name: string,
  definition: string,
  { unique = false } = {},
): Promise<void> {
  if (runner.isTransactionActive) throw new Error(`The migration of ${name} needs \`transaction = false\``);
  const [found] = (await runner.query('SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)', [
    name,
  ])) as { valid: boolean }[];
  if (found?.valid) return;
  if (found) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
  await runner.query(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ${definition}`);
}
