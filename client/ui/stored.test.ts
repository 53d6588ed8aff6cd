import { afterEach, expect, it, jest } from '@jest/globals';
import { fromJson, stored } from './stored.js';

afterEach(() => void stored.set('a', null));

it('prefers a value that a full storage has refused to the older one in it, until there is room', () => {
  stored.set('a', 'old');
  const full = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full.', 'QuotaExceededError');
  });
  stored.set('a', 'new');
  expect(stored.get('a')).toBe('new');
  expect(stored.keys()).toEqual(['a']);
  full.mockRestore();
  expect(stored.set('a', 'newest')).toBe(true);
  expect(localStorage.getItem('a')).toBe('newest');
  expect(stored.isRefused('a')).toBe(false);
});

it.each(['[]', '5', 'null', 'text', '{"id":5}'])(
  'reads %s as null, because it is no object like the example',
  (text) => {
    expect(fromJson(text, { id: '' })).toBeNull();
  },
);
