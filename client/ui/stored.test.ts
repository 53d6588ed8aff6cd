import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { stored, storedInTab } from './stored.js';

const KEYS = ['a', 'b'];

beforeEach(() => localStorage.clear());
afterEach(() => {
  jest.restoreAllMocks();
  for (const key of KEYS) [stored, storedInTab].forEach((area) => area.set(key, null));
});

function refuse(name: string): never {
  throw new DOMException(name, name);
}

const block = () => {
  jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => refuse('SecurityError'));
  jest.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => refuse('SecurityError'));
};
const fill = () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => refuse('QuotaExceededError'));
};

it.each([
  ['blocked', block],
  ['full', fill],
])('keeps values in memory when the storage is %s', (_, begin) => {
  begin();
  for (const area of [stored, storedInTab]) {
    expect(area.set('a', '1')).toBe(false);
    expect(area.get('a')).toBe('1');
    expect(area.get('b')).toBeNull();
    expect(area.keys()).toEqual(['a']);
    expect(area.isRefused('a')).toBe(true);
    area.set('a', null);
    expect(area.get('a')).toBeNull();
    expect(area.keys()).toEqual([]);
  }
});

it('prefers a value that a full storage has refused to the older one in it, until there is room', () => {
  stored.set('a', 'old');
  fill();
  stored.set('a', 'new');
  expect(stored.get('a')).toBe('new');
  expect(stored.keys()).toEqual(['a']);
  jest.restoreAllMocks();
  expect(stored.set('a', 'newest')).toBe(true);
  expect(localStorage.getItem('a')).toBe('newest');
  expect(stored.isRefused('a')).toBe(false);
});
