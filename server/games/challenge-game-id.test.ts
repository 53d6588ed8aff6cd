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

test('the seeds of other games are no secret', () => {
  expect(hasSecretSeed(randomUUID(), new Date())).toBe(false);
  expect(hasSecretSeed('20261122-0001-4abc-8000-000000000000', new Date('2026-11-22T12:00:00Z'))).toBe(false);
});
