// Multiplication modulo 2^32.
const { imul } = Math;

/** A number in [0, 1). `Math.random` has this shape, and so has every seeded generator. */
export type Random = () => number;

/**
 * A generator that gives the same sequence for the same seed on every engine: 32-bit integer arithmetic and one exact
 * division. Any string is a seed; the ones on the wire are 32 hex digits (128 bits). Not for secrets.
 *
 * The generator is xoshiro128** by David Blackman and Sebastiano Vigna (https://prng.di.unimi.it/xoshiro128starstar.c,
 * public domain). Its four words of state are MurmurHash3 of the seed with the hash seeds 0 to 3, so that seeds which
 * differ in one character ("...:1", "...:3") start far apart.
 */
export function seededRandom(seed: string): Random {
  const next = xoshiro128([murmur3(seed, 0), murmur3(seed, 1), murmur3(seed, 2), murmur3(seed, 3)]);
  return () => next() / 2 ** 32;
}

/** The next unsigned 32-bit integers from a state of four. Exported for its published test vector. */
export function xoshiro128(state: readonly [number, number, number, number]): () => number {
  let [a, b, c, d] = state;
  // All zeros is the one state that the generator never leaves.
  if ((a | b | c | d) === 0) a = 1;

  return () => {
    const answer = imul(rotateLeft(imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return answer;
  };
}

/**
 * MurmurHash3, x86, 32 bit, by Austin Appleby (https://github.com/aappleby/smhasher, public domain), each UTF-16 unit
 * being one block of four bytes. An unsigned 32-bit integer. Exported for its published test vectors.
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
