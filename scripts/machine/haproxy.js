/** Starts a HAProxy for tests, with the configuration for operators in ops/haproxy.cfg. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureProgram, findProgram } from './debian.js';
import { changed, runInForeground } from './foreground.js';
import { freePort } from './port.js';
import { ROOT } from './run.js';

/** The checks of the configuration for operators. */
export const CHECKS = 'inter 1s fall 2';

/** Columns of HAProxy's table of statistics. */
const SESSIONS = 4;
const STATUS = 17;

export const findHaproxy = () => findProgram('haproxy');

export const ensureHaproxy = () =>
  ensureProgram({ name: 'HAProxy', program: 'haproxy', purpose: 'the tests of a rolling restart' });

/**
 * @typedef {object} Balancer
 * @property {string} origin
 * @property {(server: 'one' | 'two') => Promise<void>} untilUp   resolves once it sends requests to this server
 * @property {(server: 'one' | 'two') => Promise<void>} untilDown
 * @property {(server: 'one' | 'two', state: 'ready' | 'drain') => Promise<void>} setState   what an operator
 *   can do by hand; resolves once a drained server has no request in progress
 * @property {() => string} log   its access log
 * @property {() => Promise<void>} stop
 */

/**
 * Starts it in front of two servers on this machine. It repeats no request. It checks the servers five times a second, and believes the
 * tenth failure: a busy machine may answer some checks late.
 * @param {readonly [string, string]} origins
 * @param {{ checks?: string }} [options]
 * @returns {Promise<Balancer>}
 */
export async function startHaproxy(origins, { checks = 'inter 200ms fall 10' } = {}) {
  const program = findHaproxy();
  if (!program) throw new Error('HAProxy was not found on this machine (on Debian: apt-get install haproxy).');
  const [port, statsPort] = [await freePort(), await freePort()];
  const home = mkdtempSync(join(tmpdir(), 'tic-tac-toe-haproxy-'));
  const file = join(home, 'haproxy.cfg');
  writeFileSync(file, configuration(port, statsPort, origins, checks));
  const running = await runInForeground(program, ['-db', '-f', file], { cwd: home, port });
  const row = async (/** @type {string} */ server) => {
    const table = await (await fetch(`http://127.0.0.1:${statsPort}/;csv`)).text();
    const line = table.split('\n').find((text) => text.startsWith(`servers,${server},`));
    return (line ?? '').split(',');
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    async untilUp(server) {
      while ((await row(server))[STATUS] !== 'UP') await pause(50);
    },
    async untilDown(server) {
      while (!(await row(server))[STATUS]?.startsWith('DOWN')) await pause(50);
    },
    async setState(server, wanted) {
      const body = new URLSearchParams({ s: server, action: wanted, b: 'servers' });
      await fetch(`http://127.0.0.1:${statsPort}/`, { method: 'POST', body, redirect: 'manual' });
      const isReached = async () => {
        const columns = await row(server);
        return wanted === 'ready' ? columns[STATUS] === 'UP' : columns[STATUS] === 'DRAIN' && columns[SESSIONS] === '0';
      };
      while (!(await isReached())) await pause(50);
    },
    log: running.said,
    async stop() {
      await running.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/**
 * Replaces the addresses in the files of ops/.
 * @param {readonly [string, string]} origins
 * @returns {[string, string][]}
 */
export const serversAt = ([one, two]) => [
  ['10.0.0.11:3000', `127.0.0.1:${new URL(one).port}`],
  ['10.0.0.12:3000', `127.0.0.1:${new URL(two).port}`],
];

/**
 * @param {number} port
 * @param {number} statsPort
 * @param {readonly [string, string]} origins
 * @param {string} checks
 */
function configuration(port, statsPort, origins, checks) {
  const text = changed(readFileSync(join(ROOT, 'ops/haproxy.cfg'), 'utf8'), [
    ['bind :80', `bind 127.0.0.1:${port}`],
    ['maxconn 20000', 'maxconn 1000'],
    ['retries 2', 'retries 0'],
    ['option redispatch 1', ''],
    [CHECKS, checks],
    ...serversAt(origins),
  ]);
  return `${text}
frontend stats
    bind 127.0.0.1:${statsPort}
    stats enable
    stats uri /
    stats admin if TRUE
`;
}
