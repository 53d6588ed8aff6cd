/** The servers that are compared, on one database: the product, an earlier revision, and the peers. Each is started when needed. */
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort } from '../scripts/machine/port.js';
import { serve } from './processes.js';
import { built, REPLAY, startProduct } from './product.js';
import { fill, makePeerTables, somePlayers, SPREAD } from './tables.js';

/**
 * @typedef {(end: () => Promise<unknown>) => void} AtEnd
 * @param {{ url: string, client: import('pg').Client, atEnd: AtEnd, wanted: number,
 *   buildEarlier: import('./earlier.js').BuildEarlier }} options   `wanted` players
 */
export async function openStage({ url, client, atEnd, wanted, buildEarlier }) {
  await fill(client, wanted, SPREAD);
  await makePeerTables(client);
  const players = await somePlayers(client, Math.min(500, wanted));
  const product = await startProduct(url);
  atEnd(product.stop);

  const startEarlier = async () => {
    const { name, main } = await buildEarlier();
    const server = await startProduct(url, main);
    atEnd(server.stop);
    return { ...server, name };
  };
  return { url, client, product, startEarlier, peers: peersOn(url, atEnd), players };
}

function peersOn(/** @type {string} */ url, /** @type {AtEnd} */ atEnd) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const ticketKey = randomBytes(32).toString('hex');
  const startPeer = async (
    /** @type {string} */ program,
    /** @type {string} */ path,
    /** @type {Record<string, string>} */ env = {},
  ) => {
    const { readEnv } = await built('server/settings/env.js');
    const { poolSize } = readEnv({}).database;
    const served = await serve({
      args: [fileURLToPath(new URL(`./programs/${program}.js`, import.meta.url))],
      env: { NODE_ENV: 'production', DATABASE_URL: url, POOL_SIZE: String(poolSize), ...env },
      port: await freePort(),
      path,
    });
    atEnd(served.stop);
    return served;
  };
  const fastifyEnv = {
    TICKET_KEY: ticketKey,
    PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    REPLAY,
  };
  const encode = (/** @type {object} */ part) => Buffer.from(JSON.stringify(part)).toString('base64url');

  return {
    fastify: () => startPeer('fastify', '/leaderboard', fastifyEnv),
    fastifyWithCache: () => startPeer('fastify', '/leaderboard', { ...fastifyEnv, TOKEN_CACHE: '1' }),
    apolloWithCache: () => startPeer('apollo', '/graphql', { ...fastifyEnv, TOKEN_CACHE: '1' }),
    postgraphile: () => startPeer('postgraphile', '/graphql'),
    nodeHttp: () => startPeer('node-http', '/'),
    accessToken(/** @type {import('./product.js').SignedIn} */ { playerId, sessionId }) {
      const exp = Math.floor(Date.now() / 1_000) + 600;
      const said = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode({ sub: playerId, sid: sessionId, exp })}`;
      return `${said}.${sign(null, Buffer.from(said), privateKey).toString('base64url')}`;
    },
    ticket(/** @type {import('./games.js').Unsent} */ { gameId, player, difficulty, seed, issuedAt }) {
      const said = [gameId, player.playerId, difficulty, seed, issuedAt.getTime()].join('.');
      return `${said}.${createHmac('sha256', ticketKey).update(said).digest('base64url')}`;
    },
  };
}
