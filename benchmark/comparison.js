/** Rows that compare one of the product's requests with a peer's. */
import { count, ms, verdict } from './numbers.js';
import { alternate } from './rounds.js';

/** As many as keep a server of one process busy. */
const CONNECTIONS = 32;

/** @typedef {{ work: string, ours: number, peer: number, atLeast?: number }} Pair   indexes of contenders, and the goal */

/**
 * @param {import('./bench.js').Bench} bench
 * @param {readonly import('./rounds.js').Contender[]} contenders
 * @param {readonly Pair[]} pairs
 * @param {number} times   how many requests of `sizes` a round has
 * @returns {Promise<import('./report.js').Line[]>}
 */
export async function compare({ load, sizes: { rounds, requests, warmUp } }, contenders, pairs, times = 1) {
  const figures = await alternate(load, contenders, {
    rounds,
    requests: requests * times,
    warmUp,
    connections: CONNECTIONS,
  });
  const cells = (/** @type {number} */ at) => {
    const { rate, cpuMs, p50, p99 } = /** @type {import('./rounds.js').Figures} */ (figures[at]);
    return [`${count(rate)} / s`, ms(cpuMs), `${ms(p50)}, ${ms(p99)}`];
  };
  return pairs.map(({ work, ours, peer, atLeast }) => {
    const ratio = (figures[ours]?.rate ?? Number.NaN) / (figures[peer]?.rate ?? Number.NaN);
    const goal = atLeast === undefined ? '' : `≥ ${atLeast}: ${verdict(ratio, { atLeast })}`;
    return { table: 'requests', cells: [work, ratio.toFixed(2), goal, ...cells(ours), ...cells(peer)] };
  });
}
