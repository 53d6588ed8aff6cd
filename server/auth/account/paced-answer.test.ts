import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { answerInPieces, ReaderLost } from './paced-answer.js';

const LONG = 60_000;
const PIECE = 'x'.repeat(1_000_000);

let server: Server;
let taken = 0;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Answers one request with endless pieces. Resolves with the answer's reader and with how the answer ended. */
async function answering(patience: { piece: number; whole: number }) {
  taken = 0;
  let ended!: Promise<unknown>;
  server = createServer((_request, response) => {
    ended = answerInPieces(response, endless(), patience).catch((problem: unknown) => {
      response.destroy();
      return problem;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  return { answer, ended };
}

async function* endless(): AsyncGenerator<string> {
  for (;;) {
    taken += 1;
    yield PIECE;
  }
}

test('a reader that takes nothing is given up, and what it does not take is not made', async () => {
  const { ended } = await answering({ piece: 200, whole: LONG });
  expect(await ended).toEqual(new ReaderLost('too_slow'));
  // What the system's buffers take, and one piece that waits.
  expect(taken).toBeLessThan(30);
});

test('a reader that takes for ever is given up in the end', async () => {
  const { answer, ended } = await answering({ piece: LONG, whole: 200 });
  answer.resume();
  expect(await ended).toMatchObject({ reason: 'too_slow' });
});

test('a reader that leaves ends the answer at once', async () => {
  const { answer, ended } = await answering({ piece: LONG, whole: LONG });
  answer.destroy();
  expect(await ended).toMatchObject({ reason: 'gone' });
});
