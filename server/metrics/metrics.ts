import { createServer } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type Env, SettingsError } from '../settings/env.js';
import { recordBackgroundWork } from './background-work.js';
import { recordBuild } from './build.js';
import { recordDatabase } from './database.js';
import { recordGames } from './games.js';
import { recordRequests } from './requests.js';
import { recordSignIns } from './sign-ins.js';
import { recordSockets } from './sockets.js';

const RECORDERS = [
  recordBuild,
  recordRequests,
  recordDatabase,
  recordGames,
  recordSignIns,
  recordSockets,
  recordBackgroundWork,
];

/**
 * Records metrics and serves them at `/metrics` on a port of their own, which players cannot reach. It starts before the
 * database, so that a migration that waits is visible.
 * @throws {SettingsError} when the port cannot be used
 */
export async function startMetrics({ metricsHost, metricsPort }: Env): Promise<void> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const record of RECORDERS) record(registry);
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end();
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((ready, fail) => {
    server.once('error', ({ message }) => fail(new SettingsError([`METRICS_PORT cannot be used: ${message}`])));
    server.listen(metricsPort, metricsHost, ready);
  });
  // It must not keep the process alive.
  server.unref();
}
