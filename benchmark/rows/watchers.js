/** Sockets that watch the leaderboard while it changes once a second. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atMost, count, median } from '../measure/numbers.js';
import { cpuSeconds, memory } from '../measure/processes.js';

const PLAYERS = 1_000;
const CHANGE = `
  UPDATE players SET name = 'Change ' || $1 WHERE id = (SELECT player_id FROM player_stats ORDER BY score DESC LIMIT 1)`;

/** @type {import('../measure/report.js').Row} */
export default {
  name: 'watchers',
  async measure({ sideOf, revisions, sizes: { watchers, changes } }) {
    const lines = [];
    for (const wanted of watchers) {
      for (const revision of revisions) {
        const side = await sideOf(revision, PLAYERS);
        lines.push(await watch(side, wanted, changes));
        await side.server.stop();
      }
    }
    return lines;
  },
};

/** @param {import('../measure/bench.js').Side} side @param {number} wanted @param {number} changes */
async function watch({ name, server, client, modules }, wanted, changes) {
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
    const before = memory(server).now;
    const url = `${server.origin.replace('http', 'ws')}/graphql`;
    const { opened } = await ask({ open: wanted, url, query: modules.textOf('LiveLeaderboard') });
    await pause(2_000);
    const kilobytes = (memory(server).now - before) / opened / 1_000;
    const cpuBefore = cpuSeconds([server]);
    const began = performance.now();
    const spreads = [];
    for (let change = 1; change <= changes; change++) {
      const seen = ask({ see: true });
      await client.query(CHANGE, [change]);
      spreads.push((await seen).spreadMs);
      await pause(Math.max(0, began + change * 1_000 - performance.now()));
    }
    const percent = ((cpuSeconds([server]) - cpuBefore) * 100_000) / (performance.now() - began);
    return {
      table: 'process',
      cells: [
        `${count(opened)} of ${count(wanted)} watchers, ${name}`,
        atMost(median(spreads), 250, 'ms'),
        atMost(kilobytes, 15, 'kB each'),
        atMost(percent, 50, '% of a core'),
        `${Math.max(...spreads).toFixed(0)} ms at most`,
      ],
    };
  } finally {
    child.disconnect();
  }
}
