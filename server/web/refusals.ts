import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../clock.js';
import { networksOf } from './network.js';
import { NetworkHash } from './network-hash.js';
import { currentRequest } from './request-context.js';

const MINUTE = 60_000;
/** Kinds of refusals that are told apart within a minute. Past them, all networks share one line for each kind. */
const MOST_KINDS = 1_000;
const OTHERS = 'others';

/** What was refused, in words of ours only: never an address, a token, a code or a state. */
export interface Refusal {
  readonly event: string;
  readonly status?: number;
  readonly code?: string;
  readonly reason?: string;
  readonly provider?: string;
  /** Whose it was, where the request's own access token does not say. */
  readonly playerId?: string;
}

/**
 * The audit trail of what was refused. A flood must not fill the log: of each kind, the first of a network in a minute is
 * written at once, and at the end of the minute how many more there were.
 */
@Injectable()
export class Refusals implements OnModuleDestroy {
  private readonly logger = new Logger('Refusals');
  private readonly kinds = new Map<string, { line: Refusal & { network: string }; more: number }>();
  private readonly timer: NodeJS.Timeout;
  private began: number;

  constructor(
    private readonly networks: NetworkHash,
    private readonly clock: Clock,
  ) {
    this.began = clock.now().getTime();
    this.timer = setInterval(() => this.endMinute(), MINUTE).unref();
  }

  note(refusal: Refusal): void {
    const since = this.clock.now().getTime() - this.began;
    // A clock that was put back would else stop the trail.
    if (since < 0 || since >= MINUTE) this.endMinute();
    const request = currentRequest();
    const known = this.kinds.size < MOST_KINDS;
    const network = request ? this.networkOf(request.address) : OTHERS;
    const { event, status, code, reason, playerId } = refusal;
    // A stolen token is one player's: each of them gets a line.
    const key = (of: string) => [of, event, status, code, reason, playerId].join(' ');
    const counted = this.kinds.get(key(network)) ?? (known ? undefined : this.kinds.get(key(OTHERS)));
    if (counted) {
      counted.more += 1;
      return;
    }
    const line = { ...refusal, playerId: playerId ?? request?.playerId, network: known ? network : OTHERS };
    this.kinds.set(key(line.network), { line, more: 0 });
    this.logger.warn(line);
  }

  /** When many are told apart already, an IPv6 network counts as a whole: one of 48 bits holds 65,536 of 64 bits. */
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
      // They are many requests, perhaps of many players.
      if (more > 0) this.logger.warn({ ...line, requestId: undefined, playerId: undefined, more });
    }
    this.kinds.clear();
    this.began = this.clock.now().getTime();
  }
}
