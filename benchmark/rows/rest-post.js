/** A reported result over REST, beside an insert that checks nobody's token. */
import { compare } from '../comparison.js';
import { bearer } from '../operations.js';
import { tokensOf } from '../product.js';

/** @type {import('../report.js').Row} */
export default {
  name: 'rest-post',
  async measure(bench) {
    const { product, startEarlier, peers, players } = await bench.stage();
    const earlier = await startEarlier();
    const tokensNow = tokensOf(players, product.signer.accessToken);
    let next = 0;
    const prepare =
      (/** @type {string} */ path, /** @type {(() => Promise<string[]>) | undefined} */ tokensNow = undefined) =>
      async (/** @type {number} */ wanted) => {
        const tokens = await tokensNow?.();
        return Array.from({ length: wanted }, () => {
          const at = next++ % players.length;
          return {
            method: /** @type {const} */ ('POST'),
            path,
            headers: { 'content-type': 'application/json', ...(tokens ? bearer(tokens[at] ?? '') : {}) },
            body: JSON.stringify({ userId: players[at]?.playerId, result: 'win', difficulty: 'easy' }),
          };
        });
      };
    const post = { expect: '"score":', prepare: prepare('/api/player/stats', tokensNow) };
    const onPeer = tokensOf(players, peers.accessToken);
    const fastify = await peers.fastify();
    const contenders = [
      { name: 'POST', server: product, ...post },
      { name: 'Fastify, the same writes', server: fastify, expect: '"score":', prepare: prepare('/stats', onPeer) },
      { name: 'Fastify, an insert', server: fastify, expect: '"id":"', prepare: prepare('/results') },
      { name: 'the earlier revision', server: earlier, ...post },
    ];
    return compare(bench, contenders, [
      { work: 'REST POST / the same writes on Fastify, minimal tables, free commit', ours: 0, peer: 1, atLeast: 0.9 },
      { work: 'REST POST / an unverified insert on Fastify, free commit', ours: 0, peer: 2, atLeast: 0.55 },
      { work: `REST POST / on ${earlier.name}`, ours: 0, peer: 3 },
    ]);
  },
};
