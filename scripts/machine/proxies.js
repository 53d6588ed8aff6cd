/** Starts nginx and Caddy for tests, with the configurations for operators in ops/. HAProxy has a file of its own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureProgram, findProgram } from './debian.js';
import { changed, runInForeground } from './foreground.js';
import { ensureHaproxy, findHaproxy, serversAt } from './haproxy.js';
import { freePort } from './port.js';
import { ROOT } from './run.js';

const purpose = 'the tests of the proxies';

export async function ensureProxies() {
  await ensureHaproxy();
  await ensureProgram({ name: 'nginx', program: 'nginx', from: 'nginx-light', purpose });
  await ensureProgram({ name: 'Caddy', program: 'caddy', purpose });
}

export const hasProxies = () => [findHaproxy(), findProgram('nginx'), findProgram('caddy')].every(Boolean);

/**
 * @typedef {object} Proxy
 * @property {string} origin
 * @property {string} home   its folder
 * @property {() => string} log   its access log, and for Caddy its other messages too
 * @property {() => Promise<void>} stop
 */

/** @param {readonly [string, string]} origins @returns {Promise<Proxy>} */
export async function startNginx(origins) {
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), 'tic-tac-toe-nginx-'));
  const accessLog = join(home, 'access.log');
  const file = join(home, 'nginx.conf');
  writeFileSync(
    file,
    changed(readFileSync(join(ROOT, 'ops/nginx.conf'), 'utf8'), [
      ['listen 80;', `listen 127.0.0.1:${port};`],
      ['/var/log/nginx/access.log', accessLog],
      ...serversAt(origins),
    ]),
  );
  const args = ['-c', file, '-p', home, '-e', 'error.log', '-g', `daemon off; pid ${home}/pid;`];
  // After SIGKILL, its workers would stay.
  const options = { cwd: home, port, end: /** @type {const} */ ('SIGTERM') };
  const running = await runInForeground(/** @type {string} */ (findProgram('nginx')), args, options);
  return inFolder(home, port, () => readFileSync(accessLog, 'utf8'), running);
}

/** @param {readonly [string, string]} origins @returns {Promise<Proxy>} */
export async function startCaddy(origins) {
  const [port, awayPort] = [await freePort(), await freePort()];
  const text = changed(readFileSync(join(ROOT, 'ops/Caddyfile'), 'utf8'), [
    ['\n:80 {', `\n:${port} {\n\tbind 127.0.0.1`],
    ['8099', String(awayPort)],
    ...serversAt(origins),
  ]);
  return runCaddy(`{\n\tadmin off\n}\n${text}`, port);
}

/**
 * @param {string} text   a Caddyfile
 * @param {number} port   where it listens
 * @param {Record<string, string>} [env]
 * @returns {Promise<Proxy>}
 */
export async function runCaddy(text, port, env) {
  const home = mkdtempSync(join(tmpdir(), 'tic-tac-toe-caddy-'));
  const file = join(home, 'Caddyfile');
  writeFileSync(file, text);
  const folders = { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
  const args = ['run', '--config', file, '--adapter', 'caddyfile'];
  const options = { cwd: home, env: { ...folders, ...env }, port };
  const running = await runInForeground(/** @type {string} */ (findProgram('caddy')), args, options);
  return inFolder(home, port, running.said, running);
}

/**
 * @param {string} home
 * @param {number} port
 * @param {() => string} log
 * @param {import('./foreground.js').Running} running
 * @returns {Proxy}
 */
const inFolder = (home, port, log, running) => ({
  origin: `http://127.0.0.1:${port}`,
  home,
  log,
  async stop() {
    await running.stop();
    rmSync(home, { recursive: true, force: true });
  },
});
