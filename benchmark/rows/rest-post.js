/** A reported result over REST, beside an insert that checks nobody's token. */
import { compare } from '../comparison.js';
import { bearer } from '../operations.js';
import { tokensOf } from '../product.js';

/** @type {import('../report.js').Row} */
export default {
  name: 'rest-post',
  async measure(bench) {
    const { product, peers, players } = await bench.stage();
    const tokensNow = tokensOf(players, product.signer.accessToken);
    let next = 0;
    const prepare =
      (/** @type {string} */ path, /** @type {boolean} */ signed) => async (/** @type {number} */ wanted) => {
        const tokens = await tokensNow();
        return Array.from({ length: wanted }, () => {
          const at = next++ % players.length;
          return {
            method: /** @type {const} */ ('POST'),
            path,
            headers: { 'content-type': 'application/json', ...(signed ? bearer(tokens[at] ?? '') : {}) },
            body: JSON.stringify({ userId: players[at]?.playerId, result: 'win', difficulty: 'easy' }),
          };
        });
      };
    const contenders = [
      { name: 'POST', server: product, expect: '"score":', prepare: prepare('/api/player/stats', true) },
      { name: 'Fastify', server: await peers.fastify(), expect: '"id":"', prepare: prepare('/results', false) },
    ];
    return compare(bench, contenders, [
      { work: 'REST POST / an unverified insert on Fastify', ours: 0, peer: 1, atLeast: 0.6 },
    ]);
  },
};
