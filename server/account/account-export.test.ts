import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { answerInPieces } from './account-export.controller.js';

const LONG = 60_000;
const PIECE = 'x'.repeat(100_000);
/** More than the system's buffers take. */
const MANY = 300;

let server: Server;
let taken = 0;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Answers one request with so many pieces. Resolves with the answer's reader and with how the answer ended. */
async function answering(count: number, patience: { piece: number; whole: number }) {
  let ended!: Promise<unknown>;
  server = createServer((_request, response) => {
    ended = answerInPieces(response, pieces(count), patience).finally(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  return { answer, ended };
}

async function* pieces(count: number): AsyncGenerator<string> {
  for (taken = 0; taken < count; taken++) {
    await turn();
    yield PIECE;
  }
}

test('gives up on a client that reads nothing, and stops producing pieces', async () => {
  const { ended } = await answering(MANY, { piece: 200, whole: LONG });
  expect(await ended).toBe('too_slow');
  expect(taken).toBeLessThan(MANY);
});

test('gives up on a client that reads too slowly', async () => {
  const { answer, ended } = await answering(Infinity, { piece: LONG, whole: 200 });
  answer.resume();
  expect(await ended).toBe('too_slow');
});
