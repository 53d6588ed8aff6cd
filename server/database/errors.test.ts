import { expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { retryConflicts } from './errors.js';

const failure = (code: string) =>
  new QueryFailedError('SELECT', [], Object.assign(new pg.DatabaseError(code, 0, 'error'), { code }));

/** Fails with each of the codes in turn, then succeeds. */
function aTransaction(...codes: string[]) {
  const transaction = jest.fn<() => Promise<string>>();
  for (const code of codes) transaction.mockRejectedValueOnce(failure(code));
  return transaction.mockResolvedValue('done');
}

test('repeats a transaction after conflicts', async () => {
  const transaction = aTransaction('40001', '40P01', '40001');
  expect(await retryConflicts(transaction)).toBe('done');
  expect(transaction).toHaveBeenCalledTimes(4);
});

test('gives up after the fourth conflict', async () => {
  const transaction = aTransaction('40001', '40001', '40001', '40P01');
  await expect(retryConflicts(transaction)).rejects.toThrow('40P01');
  expect(transaction).toHaveBeenCalledTimes(4);
});

test.each(['55P03', '57014', '23505', '08006'])('does not repeat after %s', async (code) => {
  const transaction = aTransaction(code);
  await expect(retryConflicts(transaction)).rejects.toThrow(code);
  expect(transaction).toHaveBeenCalledTimes(1);
});
