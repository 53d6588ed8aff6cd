import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keys } from '../keys/keys.js';
import { type Network, networksOf } from './network.js';

/** Tells networks apart where their addresses must not stand: in the log and in the database. */
@Injectable()
export class NetworkHash {
  constructor(private readonly keys: Keys) {}

  /** The keyed hash of an address, of IPv6 of its /64: 43 characters of base64url, the same on every server. */
  of(address: string): string {
    return this.ofNetwork(networksOf(address)[0]);
  }

  ofNetwork({ key }: Network): string {
    return createHmac('sha256', this.keys.keysFor('address')[0]).update(key).digest('base64url');
  }
}
