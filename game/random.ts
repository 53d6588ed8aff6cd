// Multiplication modulo 2^32.
const { imul } = Math;

/** A generator of numbers in [0, 1), like `Math.random`. */
export type Random = () => number;

/**
 * A generator that gives the same sequence for the same seed on every engine: it uses 32-bit integer arithmetic and one
 * exact division. Any string can be a seed; tickets use 32 hex digits (128 bits). Do not use it for secrets.
 *
 * The generator is xoshiro128** by David Blackman and Sebastiano Vigna (https://prng.di.unimi.it/xoshiro128starstar.c,
 * public domain). Its four words of state are MurmurHash3 of the seed with the hash seeds 0 to 3, so that similar
 * seeds ("...:1", "...:3") give unrelated sequences.
 */
export function seededRandom(seed: string): Random {
  const next = xoshiro128([murmur3(seed, 0), murmur3(seed, 1), murmur3(seed, 2), murmur3(seed, 3)]);
  return () => next() / 2 ** 32;
}

/** A generator of unsigned 32-bit integers. Exported for a test with published values. */
export function xoshiro128(state: readonly [number, number, number, number]): () => number {
  let [a, b, c, d] = state;
  // The generator cannot leave a state of zeros.
  if ((a | b | c | d) === 0) a = 1;

  return () => {
    const output = imul(rotateLeft(imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return output;
  };
}

/**
 * MurmurHash3, x86, 32 bit, by Austin Appleby (https://github.com/aappleby/smhasher, public domain). Each UTF-16 unit is one
 * block of four bytes. Returns an unsigned 32-bit integer. Exported for tests with published values.
 */
export function murmur3(text: string, hashSeed: number): number {
  let hash = hashSeed;
  for (let at = 0; at < text.length; at++) {
    const block = imul(rotateLeft(imul(text.charCodeAt(at), 0xcc9e2d51), 15), 0x1b873593);
    hash = imul(rotateLeft(hash ^ block, 13), 5) + 0xe6546b64;
  }
  hash ^= text.length * 4;
  hash = imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
