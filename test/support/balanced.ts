import { startHaproxy } from '../../scripts/machine/haproxy.js';
import type { Server } from './server.js';
import { aSignedInVisitor } from './visitor.js';

/** Starts HAProxy before two servers, `one` and `two`, with four players who have signed in at the first one. */
export async function startBalanced(first: Server, second: Server) {
  const players = await Promise.all(Array.from({ length: 4 }, () => aSignedInVisitor(first)));
  const balancer = await startHaproxy([first.origin, second.origin]);
  await Promise.all([balancer.untilUp('one'), balancer.untilUp('two')]);
  return { balancer, players };
}
