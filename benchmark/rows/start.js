/** The time until the server is ready and its memory then, as operators and newcomers start it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../scripts/machine/port.js';
import { median, verdict } from '../numbers.js';
import { memory } from '../process-figures.js';
import { serve } from '../processes.js';
import { MAIN, startProduct } from '../product.js';

const GOALS = { seconds: 3, megabytes: 400 };

/** @type {import('../report.js').Row} */
export default {
  name: 'start',
  async measure({ database, sizes: { starts } }) {
    const { url } = await database();
    /** @type {Record<string, { seconds: number, now: number, highest: number }[]>} */
    const measured = {
      'on PostgreSQL': [],
      'embedded database, first start': [],
      'embedded database, second start': [],
    };
    const look = async (/** @type {string} */ kind, /** @type {import('../processes.js').Served} */ server) => {
      // First collect the garbage of the start.
      await pause(1_000);
      measured[kind]?.push({ seconds: server.readySeconds, ...memory(server.pid) });
      await server.stop();
    };
    for (let start = 0; start < starts; start++) {
      await look('on PostgreSQL', await startProduct(url));
      const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-benchmark-'));
      await look('embedded database, first start', await startEmbedded(folder));
      await look('embedded database, second start', await startEmbedded(folder));
      rmSync(folder, { recursive: true, force: true });
    }
    return Object.entries(measured).map(([kind, all]) => {
      const seconds = median(all.map((one) => one.seconds));
      const now = median(all.map((one) => one.now)) / 1e6;
      const highest = median(all.map((one) => one.highest)) / 1e6;
      return {
        table: 'start',
        cells: [
          kind,
          `${seconds.toFixed(1)} s (≤ ${GOALS.seconds} s: ${verdict(seconds, { atMost: GOALS.seconds })})`,
          `${now.toFixed(0)} MB`,
          `${highest.toFixed(0)} MB (≤ ${GOALS.megabytes} MB: ${verdict(highest, { atMost: GOALS.megabytes })})`,
        ],
      };
    });
  },
};

async function startEmbedded(/** @type {string} */ folder) {
  const port = await freePort();
  const env = { DATA_DIR: join(folder, 'data'), PUBLIC_ORIGIN: `http://localhost:${port}` };
  return serve({ args: ['--enable-source-maps', MAIN], env, port, path: '/health/ready' });
}
