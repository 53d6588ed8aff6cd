import { expect, test } from '@jest/globals';
import { returnPath } from './provider.strategy.js';

test.each([undefined, null, 7, {}, ['/playground']])('the return path %j becomes the start page', (given) => {
  expect(returnPath(given)).toBe('/');
});
