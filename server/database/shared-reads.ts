import DataLoader from 'dataloader';
import { forAll } from '../base/current-work.js';

/** Keys that share a statement. */
const MAX_KEYS = 64;
/** The statements at a time. Reads that begin meanwhile share the next one. */
const STATEMENTS = 2;
/** Where they share none: half of a pool of ten. */
const STATEMENTS_ALONE = 5;

/**
 * Reads that begin in the same turn of the event loop share a statement, and on a busy server those of several turns; a single
 * read does not wait. Nothing is cached. When the statement fails, all its reads fail.
 * @param read resolves to a value for each key, in their order
 * @param alone each read has a statement of its own, which a distributed database passes to one server
 */
export function sharedReads<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { alone = false } = {},
): (key: Key) => Promise<Value> {
  const most = alone ? STATEMENTS_ALONE : STATEMENTS;
  const waiting: (() => void)[] = [];
  let running = 0;
  // All sockets that have data are read before this runs.
  const begin = (send: () => void) => void (running++, forAll(() => setImmediate(send)));
  const statement = async (keys: readonly Key[]) => {
    try {
      return await read(keys);
    } finally {
      running -= 1;
      const send = waiting.shift();
      if (send) begin(send);
    }
  };
  const loader = new DataLoader<Key, Value>(statement, {
    cache: false,
    maxBatchSize: alone ? 1 : MAX_KEYS,
    batchScheduleFn: (send) => (running < most ? begin(send) : void waiting.push(send)),
  });
  return (key) => loader.load(key);
}
