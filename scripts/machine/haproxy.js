/** Starts a HAProxy for tests, with the configuration for operators in ops/haproxy.cfg. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureProgram, findProgram } from './debian.js';
import { freePort, listens } from './port.js';
import { ROOT } from './run.js';

const READY_WITHIN_MS = 30_000;

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
 * @property {() => Promise<void>} stop
 */

/**
 * Starts it in front of two servers on this machine. It repeats no request, and checks the servers five times a second.
 * @param {readonly [string, string]} origins
 * @returns {Promise<Balancer>}
 */
export async function startHaproxy(origins) {
  const program = findHaproxy();
  if (!program) throw new Error('HAProxy was not found on this machine (on Debian: apt-get install haproxy).');
  const [port, statsPort] = [await freePort(), await freePort()];
  const home = mkdtempSync(join(tmpdir(), 'tic-tac-toe-haproxy-'));
  const file = join(home, 'haproxy.cfg');
  writeFileSync(file, configuration(port, statsPort, origins));
  const child = spawn(program, ['-db', '-f', file], { cwd: home, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`HAProxy did not start:\n${said}`);
    await pause(20);
  }
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
    async stop() {
      process.off('exit', end);
      const ended = once(child, 'exit');
      if (child.exitCode === null) {
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** @param {number} port @param {number} statsPort @param {readonly string[]} origins */
function configuration(port, statsPort, origins) {
  let text = readFileSync(join(ROOT, 'ops/haproxy.cfg'), 'utf8');
  const replace = (/** @type {string} */ from, /** @type {string} */ to) => {
    if (!text.includes(from)) throw new Error(`ops/haproxy.cfg does not contain ${from}`);
    text = text.replace(from, to);
  };
  replace('bind :80', `bind 127.0.0.1:${port}`);
  replace('maxconn 20000', 'maxconn 1000');
  replace('retries 2', 'retries 0');
  replace('option redispatch 1', '');
  // A busy machine may answer some checks late.
  replace('inter 1s fall 2', 'inter 200ms fall 10');
  for (const [at, address] of ['10.0.0.11:3000', '10.0.0.12:3000'].entries()) {
    replace(address, `127.0.0.1:${new URL(/** @type {string} */ (origins[at])).port}`);
  }
  return `${text}
frontend stats
    bind 127.0.0.1:${statsPort}
    stats enable
    stats uri /
    stats admin if TRUE
`;
}
