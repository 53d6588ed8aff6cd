/**
 * Rounds of several servers in turn, so that another program on the machine slows all of them, and the medians of each.
 * The first round warms up and does not count. Each round begins with another server.
 */
import { median } from './numbers.js';
import { cpuSeconds } from './processes.js';

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {number} atLeast   the goal of the first contender's rate beside this one's
 * @property {readonly Pick<import('./processes.js').Served, 'origin' | 'pid'>[]} servers   which share the requests
 * @property {string} expect   a part of every answer
 * @property {(count: number) => import('./load.js').Request[] | Promise<import('./load.js').Request[]>} prepare   before the clock starts
 *
 * @typedef {{ rate: number, cpuMs: number, p50: number, p99: number }} Round   requests a second, CPU of a request, percentiles
 * @typedef {Round & { rounds: readonly Round[] }} Figures   the medians, and each round
 */

/** A round takes about this long, so that a short disturbance does not decide it. */
const SECONDS = 2.2;

/**
 * @param {ReturnType<typeof import('./load.js').startLoad>} load
 * @param {readonly Contender[]} contenders
 * @param {{ rounds: number, warmUp: number, connections: number }} options
 * @returns {Promise<Figures[]>} in the order of the contenders
 */
export async function alternate(load, contenders, { rounds, warmUp, connections }) {
  /** @type {Round[][]} */
  const measured = contenders.map(() => []);
  const wanted = contenders.map(() => warmUp);
  for (let round = 0; round <= rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const at = (round + turn) % contenders.length;
      const { servers, expect, prepare } = /** @type {Contender} */ (contenders[at]);
      const asked = /** @type {number} */ (wanted[at]);
      const requests = await prepare(asked);
      const before = cpuSeconds(servers);
      const urls = servers.map(({ origin }) => origin);
      const { seconds, p50, p99 } = await load.send({ urls, requests, connections, expect });
      const cpuMs = ((cpuSeconds(servers) - before) * 1_000) / asked;
      wanted[at] = Math.ceil((asked / seconds) * SECONDS);
      if (round > 0) measured[at]?.push({ rate: asked / seconds, cpuMs, p50, p99 });
    }
  }
  return measured.map((all) => ({
    rounds: all,
    rate: median(all.map(({ rate }) => rate)),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
    p50: median(all.map(({ p50 }) => p50)),
    p99: median(all.map(({ p99 }) => p99)),
  }));
}
