interface Entry {
  readonly payload: Record<string, unknown>;
  readonly expires: number;
}

const MAX_ENTRIES = 2000;

/**
 * The store of a local provider, with the methods that `oidc-provider` calls. It drops the oldest entries first. After a
 * restart, pending sign-ins must start again.
 */
export class MemoryStore {
  private readonly entries = new Map<string, Entry>();

  /** @param kind the model's name */
  adapterFor(kind: string) {
    const key = (id: string) => `${kind}:${id}`;
    return {
      upsert: (id: string, payload: Record<string, unknown>, expiresIn: number) => {
        this.set(key(id), { payload, expires: performance.now() + expiresIn * 1000 });
      },
      find: (id: string) => this.get(key(id)),
      findByUid: (uid: string) => this.findBy(kind, 'uid', uid),
      findByUserCode: (userCode: string) => this.findBy(kind, 'userCode', userCode),
      destroy: (id: string) => void this.entries.delete(key(id)),
      consume: (id: string) => {
        const payload = this.get(key(id));
        if (payload) payload.consumed = true;
      },
      revokeByGrantId: (grantId: string) => {
        for (const [name, { payload }] of this.entries) if (payload.grantId === grantId) this.entries.delete(name);
      },
    };
  }

  private set(name: string, entry: Entry): void {
    this.entries.delete(name);
    this.entries.set(name, entry);
    const oldest = this.entries.keys().next();
    if (this.entries.size > MAX_ENTRIES && !oldest.done) this.entries.delete(oldest.value);
  }

  private get(name: string): Record<string, unknown> | undefined {
    const entry = this.entries.get(name);
    if (entry && entry.expires > performance.now()) return entry.payload;
    this.entries.delete(name);
    return undefined;
  }

  private findBy(kind: string, field: string, value: string): Record<string, unknown> | undefined {
    for (const [name, { payload }] of this.entries) {
      if (name.startsWith(`${kind}:`) && payload[field] === value) return this.get(name);
    }
    return undefined;
  }
}
