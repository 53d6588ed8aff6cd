import { describe, expect, test } from '@jest/globals';
import { murmur3, seededRandom, xoshiro128 } from './random.js';

const take = (count: number, next: () => number): number[] => Array.from({ length: count }, next);

describe('the generator', () => {
  test('gives the ten published outputs of xoshiro128** for the state 1, 2, 3, 4', () => {
    // Made with the authors' C program; the same vector is in the tests of the Rust crate rand_xoshiro.
    expect(take(10, xoshiro128([1, 2, 3, 4]))).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  test('works with a state of zeros', () => {
    expect(new Set(take(100, xoshiro128([0, 0, 0, 0]))).size).toBeGreaterThan(50);
  });

  test('uses a hash that gives the published values of MurmurHash3', () => {
    expect(murmur3('', 0)).toBe(0);
    expect(murmur3('', 1)).toBe(0x514e28b7);
    expect(murmur3('', 0xffffffff)).toBe(0x81f16f39);
    expect(murmur3('\0', 0)).toBe(0x2362f9de); // four zero bytes
    // The Python package mmh3, on the UTF-32LE bytes of the text.
    const text = '0123456789abcdef0123456789abcdef:1';
    expect([0, 1, 2, 3].map((hashSeed) => murmur3(text, hashSeed))).toEqual([
      3711322018, 252120576, 1551766984, 3131994466,
    ]);
  });
});

describe('seededRandom', () => {
  // From an independent implementation in Python. A change of these values changes every bot, and the games of issued tickets
  // would no longer replay.
  test.each([
    ['', [1586763811, 3988198036, 3115085760, 4010847101]],
    ['0123456789abcdef0123456789abcdef', [3084966171, 3591185962, 3234113766, 2185516091]],
    ['0123456789abcdef0123456789abcdef:1', [515572045, 4187968635, 516939839, 3958118314]],
    ['ffffffffffffffffffffffffffffffff:7', [89142261, 3054886255, 3633669132, 138643879]],
  ])('gives for the seed "%s" the same numbers as ever', (seed, integers) => {
    expect(take(4, seededRandom(seed))).toEqual(integers.map((integer) => integer / 2 ** 32));
  });
});
