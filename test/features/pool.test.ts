import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { currentWork, forAll } from '../../server/base/current-work.js';
import { Unavailable } from '../../server/base/errors.js';
import { poolOf } from '../../server/database/data-source.js';
import { connectionsMissed, pools } from '../../server/database/pool.js';
import { run } from '../../server/database/statements.js';
import { realPostgres } from '../support/postgres.js';

/** Of three connections, the requests can hold one. */
const NAME = 'test';
const WAIT_MS = 500;
let database: DataSource;
let drop: () => Promise<void>;

beforeAll(async () => {
  const made = await realPostgres().createDatabase();
  drop = () => made.drop();
  database = await new DataSource(
    poolOf(made.url, { connect: 5_000, wait: WAIT_MS }, 3, { name: NAME, inTurns: 1 }),
  ).initialize();
});
afterAll(async () => {
  await database.destroy();
  await drop();
});

const requestOf = <T>(address: string, work: () => Promise<T>) => currentWork.run({ address }, work);
const one = { name: 'one', text: 'SELECT 1 AS one' };

/** Holds the connection of the requests until it is released. */
async function aHeldConnection() {
  const runner = database.createQueryRunner();
  await requestOf('203.0.113.1', () => runner.connect() as Promise<unknown>);
  return runner;
}

const waiting = () => new Map(pools.values()).get(NAME)!.waiting;

test('a transaction that asks for a second connection fails', async () => {
  const asks = () => database.transaction(() => run(database, one));
  await expect(requestOf('203.0.113.1', asks)).rejects.toThrow('A transaction asks for a second connection');
  await expect(forAll(asks)).rejects.toThrow('A transaction asks for a second connection');
  const asksItself = () => database.transaction((transaction) => transaction.query(one.text));
  expect(await requestOf('203.0.113.1', asksItself)).toEqual([{ one: 1 }]);
});

test('statements of a request beside each other take one turn after the other', async () => {
  const both = () => Promise.all([run(database, one), database.query(one.text)]);
  expect(await requestOf('203.0.113.1', both)).toEqual([[{ one: 1 }], [{ one: 1 }]]);
});

test('shared work takes no turn, and a request that waits for its turn is counted', async () => {
  const held = await aHeldConnection();
  const asked = requestOf('203.0.113.2', () => run(database, one));
  expect(waiting()).toBe(1);
  expect(await requestOf('203.0.113.3', () => forAll(() => run(database, one)))).toEqual([{ one: 1 }]);
  await held.release();
  expect(await asked).toEqual([{ one: 1 }]);
  expect(waiting()).toBe(0);
});

test('a wait for a turn ends, and its turn is not lost', async () => {
  const held = await aHeldConnection();
  const missed: string[] = [];
  connectionsMissed.subscribe(({ pool }) => void missed.push(pool));
  await expect(requestOf('203.0.113.2', () => run(database, one))).rejects.toThrow(Unavailable);
  expect(missed).toEqual([NAME]);
  await held.release();
  expect(await requestOf('203.0.113.2', () => run(database, one))).toEqual([{ one: 1 }]);
});

test('a statement that fails leaves its connection in the pool', async () => {
  const connection = () => run(database, { name: 'connection', text: 'SELECT pg_backend_pid()' });
  const before = await connection();
  await expect(run(database, { name: 'wrong', text: 'SELECT 1 / 0' })).rejects.toThrow('division by zero');
  expect(await connection()).toEqual(before);
});
