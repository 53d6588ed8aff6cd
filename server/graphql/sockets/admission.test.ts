import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { networksOf } from '../../web/requests/network.js';
import type { Env } from '../../settings/env.js';
import { GRAPHQL_PATH } from '../../web/answers/answer-problem.js';
import type { Refusals } from '../../web/answers/refusals.js';
import type { ClientAddress } from '../../web/requests/client-address.js';
import type { RequestAllowance } from '../../web/requests/request-allowance.js';
import type { RequestContext } from '../../web/requests/request-context.js';
import { Admission, SocketCounter } from './admission.js';

test('limits a process to its maximum and a network of 48 bits to 2,000 sockets, until one closes', async () => {
  const counter = new SocketCounter(2_500);
  const take = (address: string) => {
    const socket = new PassThrough();
    return { socket, full: counter.take(socket, networksOf(address)) };
  };
  const fill = (address: (index: number) => string, sockets: number) =>
    Array.from({ length: sockets }, (_none, index) => take(address(index))).filter(({ full }) => full);

  expect(fill((index) => `2001:db8:0:${(index % 5) + 1}00::${index % 500}`, 2_000)).toEqual([]);
  const refused = take('2001:db8:0:700::1');
  expect(refused.full).toBe('network');
  expect(fill((index) => `203.0.113.${index % 2}`, 499)).toEqual([]);
  const last = take('198.51.100.1');
  expect(last.full).toBe('process');

  for (const { socket } of [refused, last]) {
    socket.destroy();
    await once(socket, 'close');
  }
  expect(take('198.51.100.1').full).toBeUndefined();
});

test.each([
  ['an IPv4 address', 500, '203.0.113.1'],
  ['a network of 64 bits', 500, '2001:db8:1:1::1'],
])('%s takes %d sockets', (_, most, address) => {
  const counter = new SocketCounter();
  const take = () => counter.take(new PassThrough(), networksOf(address));
  const answers = Array.from({ length: most + 1 }, take);
  expect(answers.indexOf('network')).toBe(most);
});

test('a network of 56 bits takes 1,000 sockets', () => {
  const counter = new SocketCounter();
  const take = (index: number) => counter.take(new PassThrough(), networksOf(`2001:db8:1:${(index % 4) + 1}::1`));
  const answers = Array.from({ length: 1_001 }, (_, index) => take(index));
  expect(answers.indexOf('network')).toBe(1_000);
});

test('a process takes 10,000 sockets, says that it has no room for more, and takes others once one closes', async () => {
  const nobody = { spend: () => Promise.resolve(undefined) } as unknown as RequestAllowance;
  const admission = new Admission({} as ClientAddress, {} as Env, nobody, {} as Refusals);
  const request = {
    url: GRAPHQL_PATH,
    headers: { 'sec-websocket-protocol': 'graphql-transport-ws' },
  } as IncomingMessage;
  const ask = (index: number, socket = new PassThrough()) =>
    admission.refusalOf({ address: `203.0.${index >> 8}.${index & 255}` } as RequestContext, request, socket);

  const first = new PassThrough();
  const admitted = [ask(0, first), ...Array.from({ length: 9_999 }, (_, index) => ask(index + 1))];
  expect(new Set(await Promise.all(admitted))).toEqual(new Set([undefined]));
  const refused = new PassThrough();
  expect(await ask(10_000, refused)).toEqual({
    status: 503,
    message: 'This server has no room for more sockets. Try again in a minute.',
    headers: { 'Retry-After': '60' },
  });
  for (const socket of [refused, first]) {
    socket.destroy();
    await once(socket, 'close');
  }
  expect(await ask(10_000)).toBeUndefined();
});
