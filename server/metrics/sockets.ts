import { Counter, Gauge, type Registry } from 'prom-client';
import { openSockets, socketsOpened } from '../graphql/sockets/socket-events.js';
import { watchers } from '../leaderboard/leaderboard-poller.js';
import type { ObservedValue } from '../base/observed.js';

/** Sockets, and the watchers of the live leaderboard. */
export function recordSockets(registry: Registry): void {
  const registers = [registry];
  const sum = (value: ObservedValue<number>) => value.values().reduce((total, [, value]) => total + value, 0);
  new Gauge({
    name: 'ttt_sockets',
    help: 'Open sockets.',
    registers,
    collect() {
      this.set(sum(openSockets));
    },
  });
  new Gauge({
    name: 'ttt_watchers',
    help: 'Subscriptions to the live leaderboard.',
    registers,
    collect() {
      this.set(sum(watchers));
    },
  });
  const opened = new Counter({ name: 'ttt_sockets_opened_total', help: 'Sockets that were opened.', registers });
  socketsOpened.subscribe(() => opened.inc());
}
