import type { IncomingMessage } from 'node:http';
import DataLoader from 'dataloader';
import type { DatabaseTurns, Lane } from './database-turns.js';

/** Keys that share a statement, and one charge for its time. */
const MAX_KEYS = 50;

/**
 * Reads for fields below the root. Those of one request that begin together share a statement, and its turn for the database:
 * the fields take none themselves. Nothing is cached.
 */
export class RequestLoader<Key, Value> {
  private readonly loaders = new WeakMap<IncomingMessage, DataLoader<Key, Value>>();

  /** @param read resolves to a value for each key, in their order */
  constructor(
    private readonly turns: DatabaseTurns,
    private readonly lane: Lane,
    private readonly read: (keys: readonly Key[]) => Promise<readonly Value[]>,
    private readonly maxKeys = MAX_KEYS,
  ) {}

  load(request: IncomingMessage, key: Key): Promise<Value> {
    const loader = this.loaders.get(request) ?? this.loaderFor(request);
    this.loaders.set(request, loader);
    return loader.load(key);
  }

  private loaderFor(request: IncomingMessage): DataLoader<Key, Value> {
    const read = (keys: readonly Key[]) => this.turns.run(request, this.lane, () => this.read(keys));
    return new DataLoader(read, { cache: false, maxBatchSize: this.maxKeys });
  }
}
