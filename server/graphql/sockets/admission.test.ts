import { PassThrough } from 'node:stream';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { networksOf } from '../../web/requests/network.js';
import { SocketCounter } from './admission.js';

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
  const counter = new SocketCounter(10_000);
  const take = () => counter.take(new PassThrough(), networksOf(address));
  const answers = Array.from({ length: most + 1 }, take);
  expect(answers.indexOf('network')).toBe(most);
});

test('a network of 56 bits takes 1,000 sockets', () => {
  const counter = new SocketCounter(10_000);
  const take = (index: number) => counter.take(new PassThrough(), networksOf(`2001:db8:1:${(index % 4) + 1}::1`));
  const answers = Array.from({ length: 1_001 }, (_, index) => take(index));
  expect(answers.indexOf('network')).toBe(1_000);
});
