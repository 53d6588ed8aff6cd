import { Gauge, type Registry } from 'prom-client';
import { banKeys } from '../auth/players/bans.js';

/** Whether bans of deleted accounts hold. */
export function recordBans(registry: Registry): void {
  new Gauge({
    name: 'ttt_ban_key_readable',
    help: 'Whether a secret of AUTH_SECRET opens the key of the bans. Also 1 before the first ban.',
    registers: [registry],
    collect() {
      for (const [, readable] of banKeys.values()) this.set(readable ? 1 : 0);
    },
  });
}
