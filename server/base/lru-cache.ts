/** A cache that evicts the least recently used value. */
export class LruCache<Value> {
  private readonly values = new Map<string, Value>();

  constructor(private readonly maxSize: number) {}

  get(key: string): Value | undefined {
    const value = this.values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    // A map iterates in insertion order, so its first key is the least recently used one.
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.maxSize) this.values.delete(this.values.keys().next().value!);
  }

  entries(): IterableIterator<[string, Value]> {
    return this.values.entries();
  }

  delete(key: string): void {
    this.values.delete(key);
  }
}
