import { expect, test } from '@jest/globals';
import { Clock } from '../../base/clock.js';
import { Env } from '../../settings/env.js';
import { Keys } from '../../settings/keys.js';
import { ACCESS_TOKEN_SECONDS, AccessTokens } from './tokens.js';

const PLAYER = { playerId: 'player', sessionId: 'session' };

class SetClock extends Clock {
  time = Date.UTC(2026, 0, 31);
  override now(): Date {
    return new Date(this.time);
  }
}

function someTokens() {
  const clock = new SetClock();
  const env = Object.assign(new Env(), {
    publicOrigin: 'https://game.example',
    authSecrets: ['a secret for this test'],
  });
  return { clock, tokens: new AccessTokens(env, clock, new Keys(env)) };
}

test('opens a token again until it expires, and not after that', async () => {
  const { clock, tokens } = someTokens();
  const token = await tokens.issue(PLAYER);
  for (const seconds of [0, 0, ACCESS_TOKEN_SECONDS - 1]) {
    clock.time = Date.UTC(2026, 0, 31) + seconds * 1000;
    expect(await tokens.verify(token)).toEqual(PLAYER);
  }
  clock.time += 1000;
  expect(await tokens.verify(token)).toBeUndefined();
});

test('rejects a changed token after the genuine one has been opened', async () => {
  const { tokens } = someTokens();
  const token = await tokens.issue(PLAYER);
  expect(await tokens.verify(token)).toEqual(PLAYER);
  const [header, , signature] = token.split('.');
  const [, others] = (await tokens.issue({ ...PLAYER, playerId: 'another' })).split('.');
  expect(await tokens.verify(`${header}.${others}.${signature}`)).toBeUndefined();
});
