import { expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { realPostgres, startPostgres } from '../support/postgres.js';

/** Starting PostgreSQL takes seconds on a busy machine. */
jest.setTimeout(120_000);

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('each test gets its own database, and concurrent requests prepare a template once', async () => {
  let preparations = 0;
  const template = {
    name: 'one table',
    prepare: async (url: string) => {
      preparations += 1;
      await query(url, 'CREATE TABLE marks AS SELECT 42 AS mark');
    },
  };

  const [first, second, empty] = await Promise.all([
    realPostgres().createDatabase(template),
    realPostgres().createDatabase(template),
    realPostgres().createDatabase(),
  ]);
  await query(first.url, 'DELETE FROM marks');

  expect(preparations).toBe(1);
  expect(await query(second.url, 'SELECT mark FROM marks')).toEqual([{ mark: 42 }]);
  await expect(query(empty.url, 'SELECT mark FROM marks')).rejects.toThrow('does not exist');
  await Promise.all([first, second, empty].map((database) => database.drop()));
});

test('a killed PostgreSQL comes back with all acknowledged data', async () => {
  const postgres = await startPostgres();
  try {
    await query(postgres.url, 'CREATE TABLE marks AS SELECT 42 AS mark');

    await postgres.kill('SIGKILL');
    await expect(query(postgres.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await postgres.restart();

    expect(await query(postgres.url, 'SELECT mark FROM marks')).toEqual([{ mark: 42 }]);
  } finally {
    await postgres.stop();
  }
});
