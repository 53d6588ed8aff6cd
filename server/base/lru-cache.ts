/** A cache that evicts the least recently used value. */
export class LruCache<Value, Key = string> {
  private readonly values = new Map<Key, Value>();

  constructor(private readonly maxSize: number) {}

  get(key: Key): Value | undefined {
    const value = this.values.get(key);
    if (value !== undefined) this.set(key, value);
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
