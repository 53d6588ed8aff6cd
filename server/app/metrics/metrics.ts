import { statfs } from 'node:fs/promises';
import { createServer } from 'node:http';
import { isIP } from 'node:net';
import { collectDefaultMetrics } from '@prometheus-io/client';
import { migrations } from '../../database/migrations.js';
import { cannotListen, type Env } from '../../settings/env.js';
import { readBuild } from '../../settings/folders.js';
import { gauge, recordAll, registry } from './instruments.js';

/**
 * Records metrics and serves them at `/metrics` on a port of their own, which players cannot reach. It starts before the
 * database, so that a server that waits for a migration is visible.
 * @throws {OperatorError} when the port cannot be used
 */
export async function startMetrics({ metricsHost, metricsPort }: Env): Promise<void> {
  collectDefaultMetrics({ register: registry });
  recordBuild();
  recordDisk();
  recordAll();
  const server = createServer((request, response) => {
    if (!isInnerHost(request.headers.host)) return void response.writeHead(403).end(WRONG_HOST);
    if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end();
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((ready, fail) => {
    server.once('error', (error) => fail(cannotListen(error, 'METRICS_PORT', 'METRICS_HOST')));
    server.listen(metricsPort, metricsHost, ready);
  });
  // It must not keep the process alive.
  server.unref();
}

const WRONG_HOST = 'Ask by the address of the server, or by its name in the inner network.\n';

/**
 * Whether a request names the server by an address or by a name of the inner network. A page of any site can let its own name
 * lead to our address, and would then read the metrics with an operator's browser (DNS rebinding).
 */
function isInnerHost(host: string | undefined): boolean {
  const url = `http://${host}`;
  if (!host || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) > 0;
  return isAddress || !hostname.includes('.') || /\.(local|internal|svc)$/.test(hostname);
}

function recordBuild(): void {
  const help = 'Always 1. The versions are in the labels; migration is the newest one that this build knows.';
  const build = gauge('ttt_build_info', help, ['version', 'revision', 'node', 'migration']);
  build.set({ ...readBuild(), node: process.versions.node, migration: migrations.at(-1)!.name }, 1);
}

/** The files of a container lie on the disk of its machine, beside the volumes: in Compose also beside that of the database. */
function recordDisk(): void {
  gauge('ttt_disk_free_ratio', 'The free part of the disk of the server, from 0 to 1.', [], async (free) => {
    const { bavail, blocks } = await statfs(process.cwd());
    free.set(bavail / blocks);
  });
}
