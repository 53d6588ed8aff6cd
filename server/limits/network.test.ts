import { expect, test } from '@jest/globals';
import { networksOf } from './network.js';

const keysOf = (address: string) => networksOf(address).map(({ key }) => key);

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:50123', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:50123', '203.0.113.7'],
])('%j counts for the IPv4 address %j alone', (address, key) => {
  expect(networksOf(address)).toEqual([{ key, size: 1 }]);
});

test.each([
  '2001:db8:1:2:3:4:5:6',
  '2001:0db8:0001:0002::6',
  '2001:DB8:1:2::',
  '[2001:db8:1:2::6]',
  '[2001:db8:1:2::6]:50123',
])('%j counts for its networks of 64, 56 and 48 bits, and wider ones have larger limits', (address) => {
  expect(networksOf(address)).toEqual([
    { key: '20010db800010002/64', size: 1 },
    { key: '20010db8000100/56', size: 2 },
    { key: '20010db80001/48', size: 4 },
  ]);
});

test('ignores the zone of an address', () => {
  expect(keysOf('fe80::1%eth0')).toEqual(keysOf('fe80::2%eth1'));
});

test.each([
  '',
  'unknown',
  '_hidden',
  '203.0.113',
  '0x7f.1',
  '203.0.113.7:',
  '203.0.113.7:x',
  '[203.0.113.7',
  'x[2001:db8:1:2::6]',
  '[2001:db8:1:2::6]x',
  '1.2.3.4.5',
])('%j is malformed, and all malformed addresses count as one', (address) => {
  expect(networksOf(address)).toEqual([{ key: 'malformed', size: 1 }]);
});
