import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../base/clock.js';
import { type Refused, requestsRefused } from '../../limits/refused.js';
import { networksOf } from '../../limits/network.js';
import { NetworkHash } from '../requests/client-address.js';
import type { RequestContext } from '../requests/request.js';

const MINUTE = 60_000;
/** The kinds of refusals that a minute tells apart. Beyond them, all networks share one line for each kind. */
const MOST_KINDS = 1_000;
const OTHERS = 'others';

/**
 * The audit trail of refusals. To keep a flood out of the log, it writes the first refusal of a kind and network in a
 * minute at once, and the number of further ones at the end of the minute.
 */
@Injectable()
export class RefusalLog implements OnModuleDestroy {
  private readonly logger = new Logger('Refusals');
  private readonly kinds = new Map<string, { readonly line: Refused; more: number }>();
  private readonly timer: NodeJS.Timeout;
  private began: number;

  constructor(
    private readonly networks: NetworkHash,
    private readonly clock: Clock,
  ) {
    this.began = clock.now().getTime();
    this.timer = setInterval(() => this.endMinute(), MINUTE).unref();
  }

  note(refused: Refused, request: RequestContext): void {
    requestsRefused.publish(refused);
    const since = this.clock.now().getTime() - this.began;
    // Also when the clock was set back, which would otherwise stop the trail.
    if (since < 0 || since >= MINUTE) this.endMinute();
    const known = this.kinds.size < MOST_KINDS;
    const network = this.networkOf(request.address);
    const { event, status, code, reason, playerId, otherPlayerId } = refused;
    // One line for each player, so that every stolen token shows.
    const key = (of: string) => [of, event, status, code, reason, playerId, otherPlayerId].join(' ');
    const counted = this.kinds.get(key(network)) ?? (known ? undefined : this.kinds.get(key(OTHERS)));
    if (counted) {
      counted.more += 1;
      return;
    }
    const line = {
      ...refused,
      requestId: request.id,
      playerId: playerId ?? request.playerId,
      network: known ? network : OTHERS,
    };
    this.kinds.set(key(line.network), { line, more: 0 });
    this.logger.warn(line);
  }

  /** Past half of the kinds, an IPv6 /48 counts as one network, because it holds 65,536 of 64 bits. */
  private networkOf(address: string): string {
    return this.kinds.size < MOST_KINDS / 2
      ? this.networks.of(address)
      : this.networks.ofNetwork(networksOf(address).at(-1)!);
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.endMinute();
  }

  private endMinute(): void {
    for (const { line, more } of this.kinds.values()) {
      // The line stands for many requests, perhaps of many players.
      if (more > 0)
        this.logger.warn({ ...line, requestId: undefined, playerId: undefined, otherPlayerId: undefined, more });
    }
    this.kinds.clear();
    this.began = this.clock.now().getTime();
  }
}
