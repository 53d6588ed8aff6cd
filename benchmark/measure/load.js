/** Requests from a process of its own, so that sending them does not slow down the measuring process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { quantile } from './numbers.js';

/**
 * @typedef {{ method: 'GET' | 'POST', path: string, headers?: Record<string, string>, body?: string }} Request
 * @typedef {{ urls: string[], requests: Request[], connections: number, expect: string }} Order   the servers share them; `expect` is a part of every answer
 * @typedef {{ seconds: number, p50: number, p99: number }} Load   the percentiles in milliseconds
 */

export function startLoad() {
  const child = fork(fileURLToPath(new URL('../programs/load.js', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    /**
     * @param {Order} order
     * @returns {Promise<Load>}
     * @throws when an answer is missing or another one than expected
     */
    async send(order) {
      const answered = once(child, 'message', { signal: AbortSignal.timeout(600_000) });
      child.send(order);
      const [{ seconds, times, failed }] = await answered;
      if (failed > 0)
        throw new Error(`${failed} of ${order.requests.length} requests to ${order.urls.join(' and ')} failed.`);
      return { seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
    },
    async stop() {
      if (child.connected) child.disconnect();
    },
  };
}
