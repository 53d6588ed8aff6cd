import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { isUuid } from '../base/uuid.js';
import { challengeGameId, hasSecretSeed } from './challenge-game-id.js';

const [ada, grace] = [randomUUID(), randomUUID()];

test('each player, day and game has its own id, always the same', () => {
  const ids = [
    challengeGameId(ada, '2026-11-22', 1),
    challengeGameId(ada, '2026-11-22', 2),
    challengeGameId(ada, '2026-11-23', 1),
    challengeGameId(grace, '2026-11-22', 1),
  ];
  expect(new Set(ids).size).toBe(4);
  expect(ids.every(isUuid)).toBe(true);
  expect(challengeGameId(ada, '2026-11-22', 1)).toBe(ids[0]);
});

test('the seed of a challenge game is secret until one minute after its UTC day', () => {
  const id = challengeGameId(ada, '2026-11-30', 5);
  const isSecret = (at: string) => hasSecretSeed(id, new Date(at));
  // A server whose clock is behind may see a game of its tomorrow.
  expect(isSecret('2026-11-29T23:59:59Z')).toBe(true);
  expect(isSecret('2026-11-30T23:59:59.999Z')).toBe(true);
  expect(isSecret('2026-12-01T00:00:59.999Z')).toBe(true);
  expect(isSecret('2026-12-01T00:01:00Z')).toBe(false);
});

test('the seeds of other games are no secret', () => {
  expect(hasSecretSeed(randomUUID(), new Date())).toBe(false);
  expect(hasSecretSeed('20261122-0001-4abc-8000-000000000000', new Date('2026-11-22T12:00:00Z'))).toBe(false);
});
