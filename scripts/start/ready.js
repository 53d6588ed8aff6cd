/** What `npm start` and `npm run dev` do before the server starts, and what they say when it is ready. */
import '../machine/env-file.js';
import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { builtModule, ensureBuilt } from '../build/ensure-built.js';
import { ensurePackages } from '../machine/install.js';
import { portIsTaken } from '../machine/port.js';
import { ROOT } from '../machine/run.js';

/** @typedef {import('../../server/settings/env.js').Env} Env */

/**
 * @param {import('../build/ensure-built.js').Name[]} parts @param {AbortSignal} [signal]
 * @returns {Promise<Env>}
 */
export async function prepare(parts, signal) {
  const { DATABASE_URL, DATA_DIR, HOST, PORT } = process.env;
  // The install and the build take minutes, and bring `readEnv`, which refuses a PORT that is no port.
  await requireFree(Number(PORT || 3000), HOST || '127.0.0.1');
  await ensurePackages({ signal });
  // The server copies the embedded database when it has none.
  const needsCopy = !DATABASE_URL && !existsSync(resolve(ROOT, DATA_DIR || 'data', 'database'));
  await ensureBuilt({ parts: needsCopy ? [...parts, 'embedded'] : parts, signal });
  const env = (await builtModule('settings/env.js')).readEnv(process.env);
  // A person reads this log.
  if (!env.production) process.env.LOG_LEVEL ||= 'warn';
  // Another program may have taken it during the build.
  await requireFree(env.port, env.host);
  return env;
}

/** @param {number} port @param {string} host */
async function requireFree(port, host) {
  if (!(await portIsTaken(port, host).catch(() => false))) return;
  throw new Error(
    `Port ${port} is taken by another program. Stop that program, or put PORT=${port + 1} before this command.`,
  );
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
