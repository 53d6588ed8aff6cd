/** Rows that compare one of the product's requests with the same on other servers. */
import { count, median, ms, quantile } from './numbers.js';
import { alternate } from './rounds.js';

/** More than a server of one process can work on at once. */
const CONNECTIONS = 64;

/**
 * A ratio is the median of the ratios of the rounds, and the spread is their middle half: a goal within it is neither met nor missed.
 * @param {import('./bench.js').Bench} bench
 * @param {string} work
 * @param {readonly import('./rounds.js').Contender[]} contenders   the first is compared with each of the others
 * @returns {Promise<import('./report.js').Line[]>}
 */
export async function compare({ load, sizes: { rounds, warmUp } }, work, contenders) {
  const [ours, ...others] = await alternate(load, contenders, { rounds, warmUp, connections: CONNECTIONS });
  if (!ours) throw new Error('Nothing is compared.');
  const cells = ({ rate, cpuMs, p50, p99 } = ours) => [`${count(rate)} / s`, ms(cpuMs), `${ms(p50)}, ${ms(p99)}`];
  return others.map((other, at) => {
    const { name, atLeast } = /** @type {import('./rounds.js').Contender} */ (contenders[at + 1]);
    const ratios = ours.rounds.map(({ rate }, round) => rate / (other.rounds[round]?.rate ?? Number.NaN));
    const [low, ratio, high] = [quantile(ratios, 0.25), median(ratios), quantile(ratios, 0.75)];
    const judged = low < atLeast && atLeast <= high ? 'unclear' : ratio >= atLeast ? 'met' : 'missed';
    const spread = `${low.toFixed(2)} to ${high.toFixed(2)}`;
    return {
      table: 'requests',
      cells: [
        `${work} / ${name}`,
        ratio.toFixed(2),
        spread,
        `≥ ${atLeast}: ${judged}`,
        ...cells(ours),
        ...cells(other),
      ],
    };
  });
}
