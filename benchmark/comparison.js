/** Rows that compare one of the product's requests with a peer's. */
import { count, median, ms, quantile, verdict } from './numbers.js';
import { alternate } from './rounds.js';

/** More than a server of one process can work on at once. */
const CONNECTIONS = 64;

/** @typedef {{ work: string, ours: number, peer: number, atLeast?: number, cpuAtMost?: number }} Pair   indexes of contenders, and the goals */

/**
 * A ratio is the median of the ratios of the rounds, and the spread is their middle half: a goal within it is neither met nor missed.
 * @param {import('./bench.js').Bench} bench
 * @param {readonly import('./rounds.js').Contender[]} contenders
 * @param {readonly Pair[]} pairs
 * @returns {Promise<import('./report.js').Line[]>}
 */
export async function compare({ load, sizes: { rounds, warmUp } }, contenders, pairs) {
  const figures = await alternate(load, contenders, { rounds, warmUp, connections: CONNECTIONS });
  const figuresOf = (/** @type {number} */ at) => /** @type {import('./rounds.js').Figures} */ (figures[at]);
  const cells = (/** @type {number} */ at) => {
    const { rate, cpuMs, p50, p99 } = figuresOf(at);
    return [`${count(rate)} / s`, ms(cpuMs), `${ms(p50)}, ${ms(p99)}`];
  };
  return pairs.map(({ work, ours, peer, atLeast, cpuAtMost }) => {
    const others = figuresOf(peer).rounds;
    const ratios = figuresOf(ours).rounds.map(({ rate }, round) => rate / (others[round]?.rate ?? Number.NaN));
    const ratio = median(ratios);
    const [low, high] = [quantile(ratios, 0.25), quantile(ratios, 0.75)];
    const spread = `${low.toFixed(2)} to ${high.toFixed(2)}`;
    const judged = (/** @type {number} */ goal) =>
      low < goal && goal <= high ? 'unclear' : verdict(ratio, { atLeast: goal });
    const goals = [
      ...(atLeast === undefined ? [] : [`≥ ${atLeast}: ${judged(atLeast)}`]),
      ...(cpuAtMost === undefined
        ? []
        : [`≤ ${ms(cpuAtMost)}: ${verdict(figuresOf(ours).cpuMs, { atMost: cpuAtMost })}`]),
    ];
    return {
      table: 'requests',
      cells: [work, ratio.toFixed(2), spread, goals.join(', '), ...cells(ours), ...cells(peer)],
    };
  });
}
