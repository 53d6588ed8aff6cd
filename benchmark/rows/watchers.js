/** Sockets that watch the leaderboard while it changes once a second. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { textOf } from '../operations.js';
import { count, median, verdict } from '../numbers.js';
import { cpuSeconds, memory } from '../process-figures.js';
import { startProduct } from '../product.js';
import { fill, SPREAD } from '../tables.js';

const PLAYERS = 1_000;
const CHANGE = `
  UPDATE players SET name = 'Change ' || $1 WHERE id = (SELECT player_id FROM player_stats ORDER BY score DESC LIMIT 1)`;
/** For so many watchers; fewer have no goal. */
const GOALS = { watchers: 10_000, cpuPercent: 50, kilobytes: 15, spreadMs: 250 };

/** @type {import('../report.js').Row} */
export default {
  name: 'watchers',
  async measure({ database, sizes: { watchers, changes } }) {
    const { url, client } = await database();
    await fill(client, PLAYERS, SPREAD);
    const lines = [];
    for (const wanted of watchers) lines.push(await watch(url, client, wanted, changes));
    return lines;
  },
};

/** @param {string} url @param {import('pg').Client} client @param {number} wanted @param {number} changes */
async function watch(url, client, wanted, changes) {
  const server = await startProduct(url);
  const child = fork(fileURLToPath(new URL('../programs/watchers.js', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ask = async (/** @type {object} */ order) => {
    const answered = once(child, 'message', { signal: AbortSignal.timeout(300_000) });
    child.send(order);
    return (await answered)[0];
  };
  try {
    await pause(1_000);
    const before = memory(server.pid).now;
    const { opened } = await ask({
      open: wanted,
      url: `${server.origin.replace('http', 'ws')}/graphql`,
      query: textOf('LiveLeaderboard'),
    });
    await pause(2_000);
    const bytes = (memory(server.pid).now - before) / opened;
    const cpuBefore = cpuSeconds(server.pids);
    const began = performance.now();
    const spreads = [];
    for (let change = 1; change <= changes; change++) {
      const seen = ask({ see: true });
      await client.query(CHANGE, [change]);
      const { spreadMs } = await seen;
      spreads.push(spreadMs);
      await pause(Math.max(0, began + change * 1_000 - performance.now()));
    }
    const percent = ((cpuSeconds(server.pids) - cpuBefore) * 100_000) / (performance.now() - began);
    const goal = (/** @type {number} */ value, /** @type {number} */ atMost, /** @type {string} */ unit) =>
      wanted < GOALS.watchers ? '' : ` (≤ ${atMost} ${unit}: ${verdict(value, { atMost })})`;
    const spread = median(spreads);
    return {
      table: 'watchers',
      cells: [
        opened < wanted ? `${count(wanted)}: missed, the server admits ${count(opened)}` : count(wanted),
        `${percent.toFixed(0)} %${goal(percent, GOALS.cpuPercent, '%')}`,
        `${(bytes / 1_000).toFixed(1)} kB${goal(bytes / 1_000, GOALS.kilobytes, 'kB')}`,
        `${spread.toFixed(0)} ms${goal(spread, GOALS.spreadMs, 'ms')}`,
        `${Math.max(...spreads).toFixed(0)} ms`,
      ],
    };
  } finally {
    child.disconnect();
    await server.stop();
  }
}
