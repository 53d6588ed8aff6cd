import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { percentile, playUnsent } from '../support/load.js';
import { metricsAt } from '../support/metrics.js';
import { finishGame } from '../support/play.js';
import { freePort } from '../support/postgres.js';
import { MAIN, type Server, startServer } from '../support/server.js';
import { aSignedInVisitor, behind } from '../support/visitor.js';

/** 60 for the whole drill. */
const SECONDS = Number(process.env.SECONDS ?? 10);
/** What V8 takes in the container of docker-compose.yml. On a large machine it gives young objects up to 192 MB. */
const HEAP = '--max-old-space-size=256 --max-semi-space-size=8';
/** The container has 512 MiB. The alert comes at 420 MB, which are 400 MiB; the worst attack takes 373. */
const MOST_MEMORY = 450 * 2 ** 20;
/** Between two games of the honest player. */
const PAUSE_MS = 100;

let metricsPort: number;
let server: Server;
beforeAll(async () => {
  metricsPort = await freePort();
  server = await startServer({
    env: {
      TRUST_PROXY: 'loopback',
      REQUESTS_PER_MINUTE: '6000',
      METRICS_PORT: String(metricsPort),
      NODE_OPTIONS: HEAP,
    },
    main: process.env.OTHER_MAIN ?? MAIN,
  });
});
afterAll(() => server.remove());

const rows: string[] = [];
afterAll(() => void process.stdout.write(`\n${rows.join('\n')}\n`));

const memory = async () => (await metricsAt(metricsPort)).sum('process_resident_memory_bytes');
const OF_REQUESTS = [
  'compressed bodies',
  'plain bodies',
  'half bodies',
  'bodies in tiny pieces',
  'unread bodies in tiny pieces',
  'unfinished headers',
  'unread answers',
  'idle connections',
];
const OF_SOCKETS = [
  'undeclared variables',
  'extensions',
  'comments',
  'large documents',
  'payloads of the first message',
  'messages that are too long',
  'empty pings',
  'bytes behind a close frame',
  'pieces behind long messages',
];
// The points of one address are for as few as twenty of these sockets in a minute.
const MANY = OF_SOCKETS.map((way) => ({ way, addresses: 40 }));

test.each([
  ...[...OF_REQUESTS, ...OF_SOCKETS].flatMap((way) => [1, 8].map((addresses) => ({ way, addresses }))),
  ...MANY,
])('$way from $addresses addresses end nobody’s game', async ({ way, addresses }) => {
  const player = behind(await aSignedInVisitor(server), '203.0.113.1');
  const games = await playUnsent(player, (SECONDS * 1_000) / PAUSE_MS);
  await server.moveClock(10_000);
  const hoard = fork('test/support/hoard.js');
  const ended = once(hoard, 'message');
  hoard.send({
    way,
    addresses: Array.from({ length: addresses }, (_none, at) => `198.51.100.${at + 1}`),
    port: Number(new URL(server.origin).port),
    seconds: SECONDS,
  });
  const took: number[] = [];
  let most = 0;
  for (const end = performance.now() + SECONDS * 1_000; performance.now() < end;) {
    const { ticket, squares } = games.pop()!;
    const began = performance.now();
    const { data } = await finishGame(player, ticket.token, squares);
    took.push(performance.now() - began);
    expect(data?.finishGame.__typename).toBe('GameCounted');
    most = Math.max(most, await memory());
    await new Promise((later) => setTimeout(later, PAUSE_MS));
  }
  await ended;
  rows.push(
    `${way}, ${addresses}: a game's p50 ${percentile(took, 0.5).toFixed(0)} ms, ${(most / 2 ** 20).toFixed(0)} MiB, after it ${((await memory()) / 2 ** 20).toFixed(0)} MiB`,
  );
  expect(most).toBeLessThan(MOST_MEMORY);
});
