import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keys } from '../keys/keys.js';
import { type Network, networksOf } from './network.js';

/** Replaces addresses in the log and in the database by keyed hashes. */
@Injectable()
export class NetworkHash {
  constructor(private readonly keys: Keys) {}

  /** The hash of an IPv4 address or of an IPv6 /64: 43 characters of base64url, the same on every server. */
  of(address: string): string {
    return this.ofNetwork(networksOf(address)[0]);
  }

  ofNetwork({ key }: Network): string {
    return createHmac('sha256', this.keys.keysFor('address')[0]).update(key).digest('base64url');
  }
}
