import { describe, expect, test } from '@jest/globals';
import { returnPath } from './provider.strategy.js';

describe('the return path of a sign-in', () => {
  test.each(['/', '/playground', '/playground?query=%7Bme%7D', '/a/b/../c'])('%j stays on our origin', (path) => {
    const { pathname, search } = new URL(path, 'https://play.example.org');
    expect(returnPath(path)).toBe(pathname + search);
  });

  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/ /evil.example',
    '\t//evil.example',
    'javascript:alert(1)',
    'https://evil.example/',
    'evil.example',
    '/.//evil.example',
    '/a/../..//evil.example',
    '/%2e//evil.example',
    '/\u0000',
    '/\u202eelpmaxe',
    '',
    `/${'a'.repeat(600)}`,
  ])('%j becomes the start page', (path) => {
    expect(returnPath(path)).toBe('/');
  });

  test.each([undefined, null, 7, {}, ['/playground']])('%j becomes the start page, because it is no path', (given) => {
    expect(returnPath(given)).toBe('/');
  });

  test('drops a hash, which the page would read as the result of a sign-in', () => {
    expect(returnPath('/playground#access_token=x')).toBe('/playground');
  });
});
