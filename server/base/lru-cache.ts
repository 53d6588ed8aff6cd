export class LruCache<Value, Key = string> {
  private readonly values = new Map<Key, Value>();

  constructor(private readonly maxSize: number) {}

  get(key: Key): Value | undefined {
    const value = this.values.get(key);
    // The order decides which value goes, once the cache is full.
    if (value !== undefined && this.values.size === this.maxSize) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    // A map iterates in insertion order, so its first key is the least recently used one.
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.maxSize) this.values.delete(this.values.keys().next().value!);
  }

  entries(): IterableIterator<[Key, Value]> {
    return this.values.entries();
  }

  delete(key: Key): void {
    this.values.delete(key);
  }
}

/** Values that are computed once from an object, such as answers from rows. They are dropped with the object. */
export class Derived<Source extends object, Key, Value> {
  private readonly values = new WeakMap<Source, LruCache<Value, Key>>();

  /** @param maxValues how many values of one object stay: a client may choose the keys */
  constructor(private readonly maxValues: number) {}

  of(source: Source, key: Key, compute: () => Value): Value {
    const values = this.values.get(source) ?? new LruCache<Value, Key>(this.maxValues);
    this.values.set(source, values);
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = compute();
    values.set(key, value);
    return value;
  }
}
