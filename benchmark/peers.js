/** The Fastify that the product is compared with, on the tables of makePeerTables, with its own tokens and tickets. */
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort } from '../scripts/machine/port.js';
import { serve } from './processes.js';
import { tokensOf } from './product.js';

/** @param {{ url: string, players: import('./product.js').SignedIn[], modules: import('./product.js').Modules }} side @param {(end: () => Promise<unknown>) => void} atEnd */
export function peersOn({ url, players, modules }, atEnd) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const ticketKey = randomBytes(32).toString('hex');
  const encode = (/** @type {object} */ part) => Buffer.from(JSON.stringify(part)).toString('base64url');

  return {
    async fastify() {
      const served = await serve({
        args: [fileURLToPath(new URL('./programs/fastify.js', import.meta.url))],
        env: {
          NODE_ENV: 'production',
          DATABASE_URL: url,
          POOL_SIZE: String(modules.poolSize),
          TICKET_KEY: ticketKey,
          PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
          REPLAY: new URL('../dist/game/replay.js', import.meta.url).href,
        },
        port: await freePort(),
        path: '/leaderboard',
      });
      atEnd(served.stop);
      return served;
    },
    tokens: tokensOf(players, ({ playerId, sessionId }) => {
      const exp = Math.floor(Date.now() / 1_000) + 600;
      const said = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode({ sub: playerId, sid: sessionId, exp })}`;
      return `${said}.${sign(null, Buffer.from(said), privateKey).toString('base64url')}`;
    }),
    ticket(/** @type {import('./product.js').Unsent} */ { gameId, player, difficulty, seed, issuedAt }) {
      const said = [gameId, player.playerId, difficulty, seed, issuedAt.getTime()].join('.');
      return `${said}.${createHmac('sha256', ticketKey).update(said).digest('base64url')}`;
    },
  };
}
