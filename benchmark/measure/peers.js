/** The servers that the product is compared with, on the tables of makePeerTables, with their own tokens and tickets. */
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformFileSync } from '@swc/core';
import { freePort } from '../../scripts/machine/port.js';
import { serve } from './processes.js';
import { tokensOf } from './product.js';

/** @param {{ url: string, players: import('./product.js').SignedIn[], modules: import('./product.js').Modules }} side @param {(end: () => Promise<unknown>) => void} atEnd */
export function peersOn({ url, players, modules }, atEnd) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const ticketKey = randomBytes(32).toString('hex');
  const tokenKey = randomBytes(32).toString('hex');
  const encode = (/** @type {object} */ part) => Buffer.from(JSON.stringify(part)).toString('base64url');

  const start = async (/** @type {string} */ program, /** @type {string} */ path) => {
    const served = await serve({
      args: [program],
      env: {
        NODE_ENV: 'production',
        DATABASE_URL: url,
        POOL_SIZE: String(modules.poolSize),
        TICKET_KEY: ticketKey,
        TOKEN_KEY: tokenKey,
        PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        REPLAY: new URL('../../dist/game/replay.js', import.meta.url).href,
      },
      port: await freePort(),
      path,
    });
    atEnd(served.stop);
    return served;
  };
  /** @param {string} alg @param {(said: string) => Buffer} seal */
  const tokens = (alg, seal) =>
    tokensOf(players, ({ playerId, sessionId }) => {
      const exp = Math.floor(Date.now() / 1_000) + 600;
      const said = `${encode({ alg, typ: 'JWT' })}.${encode({ sub: playerId, sid: sessionId, exp })}`;
      return `${said}.${seal(said).toString('base64url')}`;
    });

  return {
    fastify: () => start(fileURLToPath(new URL('../programs/fastify.js', import.meta.url)), '/leaderboard'),
    conventional: () => start(compiled('conventional'), '/api/leaderboard'),
    tokens: tokens('EdDSA', (said) => sign(null, Buffer.from(said), privateKey)),
    // passport-jwt knows no EdDSA.
    conventionalTokens: tokens('HS256', (said) => createHmac('sha256', tokenKey).update(said).digest()),
    ticket(/** @type {import('./product.js').Unsent} */ { gameId, player, difficulty, seed, issuedAt }) {
      const said = [gameId, player.playerId, difficulty, seed, issuedAt.getTime()].join('.');
      return `${said}.${createHmac('sha256', ticketKey).update(said).digest('base64url')}`;
    },
  };
}

/** Node runs no decorators. The output stands where it finds the packages of the benchmark. */
function compiled(/** @type {string} */ program) {
  const { code } = transformFileSync(fileURLToPath(new URL(`../programs/${program}.ts`, import.meta.url)), {
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
  });
  const file = new URL(`../node_modules/.cache/${program}.js`, import.meta.url);
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, code);
  return fileURLToPath(file);
}
