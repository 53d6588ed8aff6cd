import DataLoader from 'dataloader';

/** Keys that share a statement. */
const MAX_KEYS = 64;

/**
 * Reads that begin in the same turn of the event loop share a statement: a busy server takes many requests in one turn, and
 * a single read does not wait. Nothing is cached. When the statement fails, all its reads fail.
 * @param read resolves to a value for each key, in their order
 * @param alone each read has a statement of its own, which a distributed database passes to one server
 */
export function sharedReads<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
  { alone = false } = {},
): (key: Key) => Promise<Value> {
  const loader = new DataLoader<Key, Value>(read, {
    cache: false,
    maxBatchSize: alone ? 1 : MAX_KEYS,
    // All sockets that have data are read before this runs.
    batchScheduleFn: setImmediate,
  });
  return (key) => loader.load(key);
}
