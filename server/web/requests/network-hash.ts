import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keys } from '../../settings/keys.js';
import { LruCache } from '../../base/lru-cache.js';
import { type Network, networksOf } from './network.js';

/** The addresses whose hash is kept, so that most log lines need no HMAC. */
const KEPT_ADDRESSES = 10_000;

/** Replaces addresses in the log and in the database by keyed hashes. */
@Injectable()
export class NetworkHash {
  private readonly known = new LruCache<string>(KEPT_ADDRESSES);

  constructor(private readonly keys: Keys) {}

  /** The hash of an IPv4 address or of an IPv6 /64: 43 characters of base64url, the same on every server. */
  of(address: string): string {
    const known = this.known.get(address);
    if (known) return known;
    const hash = this.ofNetwork(networksOf(address)[0]);
    this.known.set(address, hash);
    return hash;
  }

  ofNetwork({ key }: Network): string {
    return createHmac('sha256', this.keys.keysFor('address')[0]).update(key).digest('base64url');
  }
}
