/** Two servers of one machine behind HAProxy, beside one: what a second core gives. */
import { ensureHaproxy, startHaproxy } from '../../scripts/machine/haproxy.js';
import { compare } from '../comparison.js';
import { startProduct } from '../product.js';
import { ours, takeTurns } from './finish-game.js';

/** @type {import('../report.js').Row} */
export default {
  name: 'servers',
  async measure(bench) {
    await ensureHaproxy();
    const stage = await bench.stage();
    const { product } = stage;
    const second = await startProduct(stage.url);
    bench.atEnd(second.stop);
    const both = await startHaproxy([product.origin, second.origin]);
    bench.atEnd(() => both.stop());
    const alone = await startHaproxy([product.origin, product.origin]);
    bench.atEnd(() => alone.stop());
    const turns = takeTurns(stage);
    const through = (/** @type {string} */ origin, /** @type {number[]} */ ...pids) =>
      ours(stage, turns, { origin, pids });
    const contenders = [
      through(both.origin, ...product.pids, ...second.pids),
      through(alone.origin, ...product.pids),
      through(product.origin, ...product.pids),
    ];
    return compare(bench, contenders, [
      { work: '`finishGame` on two servers behind HAProxy / on one behind HAProxy', ours: 0, peer: 1 },
      { work: '`finishGame` on one server behind HAProxy / without it', ours: 1, peer: 2 },
    ]);
  },
};
