import { PassThrough } from 'node:stream';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { networksOf } from '../../web/network.js';
import { Room } from './room.js';

test('limits a process to 5,000 sockets and a network of 48 bits to 2,000, until one closes', async () => {
  const room = new Room();
  const take = (address: string) => {
    const socket = new PassThrough();
    return { socket, full: room.take(socket, networksOf(address)) };
  };
  const fill = (address: (index: number) => string, sockets: number) =>
    Array.from({ length: sockets }, (_none, index) => take(address(index))).filter(({ full }) => full);

  expect(fill((index) => `2001:db8:0:${(index % 5) + 1}00::${index % 500}`, 2_000)).toEqual([]);
  const refused = take('2001:db8:0:700::1');
  expect(refused.full).toBe('network');
  expect(fill((index) => `203.0.113.${index % 6}`, 2_999)).toEqual([]);
  const last = take('198.51.100.1');
  expect(last.full).toBe('process');

  for (const { socket } of [refused, last]) {
    socket.destroy();
    await once(socket, 'close');
  }
  expect(take('198.51.100.1').full).toBeUndefined();
});
