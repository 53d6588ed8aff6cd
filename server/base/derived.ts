import { LruCache } from './lru-cache.js';

/** How many values of one object stay. A client may choose the keys. */
const MAX_VALUES = 100;

/** Values that are computed once from an object, such as answers from rows. They are dropped with the object. */
export class Derived<Source extends object, Key, Value> {
  private readonly values = new WeakMap<Source, LruCache<Value, Key>>();

  of(source: Source, key: Key, compute: () => Value): Value {
    const values = this.values.get(source) ?? new LruCache<Value, Key>(MAX_VALUES);
    this.values.set(source, values);
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = compute();
    values.set(key, value);
    return value;
  }
}
