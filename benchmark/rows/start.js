/** The time until the server is ready and its memory then, as operators and newcomers start it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../scripts/machine/port.js';
import { atMost, median } from '../measure/numbers.js';
import { memory, serve } from '../measure/processes.js';
import { startProduct } from '../measure/product.js';

/** @type {import('../measure/report.js').Row} */
export default {
  name: 'start',
  async measure({ database, revisions, sizes: { starts } }) {
    /** @type {Map<string, { seconds: number, now: number, highest: number }[]>} */
    const measured = new Map();
    const look = async (/** @type {string} */ kind, /** @type {import('../measure/processes.js').Served} */ server) => {
      // First collect the garbage of the start.
      await pause(1_000);
      measured.set(kind, [...(measured.get(kind) ?? []), { seconds: server.readySeconds, ...memory(server) }]);
      await server.stop();
    };
    const urls = [];
    for (const revision of revisions) urls.push((await database(revision)).url);
    for (let start = 0; start < starts; start++) {
      for (const [at, revision] of revisions.entries()) {
        await look(`PostgreSQL, ${revision.name}`, await startProduct(urls[at] ?? '', revision));
        const folder = mkdtempSync(join(tmpdir(), 'tic-tac-toe-benchmark-'));
        for (const nth of ['first', 'second']) {
          await look(`embedded database, ${nth} start, ${revision.name}`, await startEmbedded(folder, revision));
        }
        rmSync(folder, { recursive: true, force: true });
      }
    }
    return [...measured].map(([kind, all]) => ({
      table: 'process',
      cells: [
        `start, ${kind}`,
        atMost(median(all.map(({ seconds }) => seconds)), 3, 's'),
        atMost(median(all.map(({ now }) => now)) / 1e6, kind.startsWith('PostgreSQL') ? 160 : 215, 'MB'),
        atMost(median(all.map(({ highest }) => highest)) / 1e6, 400, 'MB'),
      ],
    }));
  },
};

async function startEmbedded(
  /** @type {string} */ folder,
  /** @type {import('../measure/revisions.js').Revision} */ { root },
) {
  const port = await freePort();
  const env = { DATA_DIR: join(folder, 'data'), PUBLIC_ORIGIN: `http://localhost:${port}` };
  // As `npm start` does.
  const args = ['--max-semi-space-size=8', '--liftoff-only', join(root, 'dist/bundle/main.js')];
  return serve({ args, env, port, path: '/health/ready' });
}
