/** What `npm start` and `npm run dev` do before the server starts, and what they say when it is ready. */
import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { builtModule, ensureBuilt } from '../build/ensure-built.js';
import { ensurePackages } from './install.js';
import { portIsTaken } from './port.js';
import { ROOT } from './run.js';

/** @typedef {import('../../server/settings/env.js').Env} Env */

if (existsSync(join(ROOT, '.env'))) process.loadEnvFile(join(ROOT, '.env'));

/**
 * @param {import('../build/ensure-built.js').Name[]} parts @param {AbortSignal} [signal]
 * @returns {Promise<Env>}
 */
export async function prepare(parts, signal) {
  const { DATABASE_URL, DATA_DIR, HOST, PORT } = process.env;
  const port = Number(PORT || 3000);
  // Before the minutes of the build, which brings `readEnv`. That one refuses a PORT that is no port.
  if (await portIsTaken(port, HOST || '127.0.0.1').catch(() => false)) {
    throw new Error(
      `Port ${port} is taken by another program. Stop that program, or put PORT=${port + 1} before this command.`,
    );
  }
  await ensurePackages({ signal });
  // The server copies the embedded database when it has none.
  const needsCopy = !DATABASE_URL && !existsSync(resolve(ROOT, DATA_DIR || 'data', 'database'));
  await ensureBuilt({ parts: needsCopy ? [...parts, 'embedded'] : parts, signal });
  const env = (await builtModule('settings/env.js')).readEnv(process.env);
  // A person reads this log.
  if (!env.production) process.env.LOG_LEVEL ||= 'warn';
  return env;
}

/** @param {Env} env @param {import('node:child_process').ChildProcess} program that runs the server */
export async function sayWhenReady(env, program) {
  const host = env.host.replace(/^(0\.0\.0\.0|::)$/, 'localhost');
  const health = `http://${host.includes(':') ? `[${host}]` : host}:${env.port}/health/ready`;
  while (program.exitCode === null && program.signalCode === null) {
    const answer = await fetch(health, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    if (answer?.ok) return console.log(fourLines(env));
    await pause(50, undefined, { ref: false });
  }
}

/** @param {Env} env */
function fourLines({ publicOrigin, databaseUrl, dataDir, localSignIn, google, github }) {
  const providers = [google && 'Google', github && 'GitHub'].filter(Boolean).join(' and ');
  const database = databaseUrl
    ? `PostgreSQL at ${new URL(databaseUrl).host}`
    : `embedded in ${dataDir.replace(ROOT + sep, '')}, for trying (DATABASE_URL in .env names a PostgreSQL)`;
  const signIn = localSignIn
    ? 'with any name: a demo for this computer alone (.env.example tells of Google and GitHub)'
    : `with ${providers || 'nothing: .env.example tells of Google and GitHub'}`;
  return `Play at   ${publicOrigin}\nDatabase  ${database}\nSign in   ${signIn}\nEnd       Ctrl-C`;
}
