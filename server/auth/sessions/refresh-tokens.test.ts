import type { ServerResponse } from 'node:http';
import { describe, expect, jest, test } from '@jest/globals';
import { Clock } from '../../base/clock.js';
import { Cookies } from '../../web/answers/cookies.js';
import { Env } from '../../settings/env.js';
import { Keys } from '../../settings/keys.js';
import { RefreshCookie, type RefreshToken } from './refresh-tokens.js';
import type { Session } from './session.js';

const NEW = 'n'.repeat(32);
const OLD = 'o'.repeat(32);

/** What the cookie says and reads. */
function tokensOf(...authSecrets: string[]) {
  const env = Object.assign(new Env(), { authSecrets, publicOrigin: 'http://localhost' });
  const clock = new Clock();
  const cookie = new RefreshCookie(new Cookies(env, clock), new Keys(env), clock);
  return {
    read: (token: string) => cookie.read({ headers: { cookie: `refresh=${token}` } }),
    issue({ sessionId: id, answer, ...content }: RefreshToken) {
      const appendHeader = jest.fn<ServerResponse['appendHeader']>();
      const expiresAt = new Date(clock.now().getTime() + 60_000);
      cookie.set({ appendHeader } as unknown as ServerResponse, { id, expiresAt, ...content } as Session, answer);
      return /^refresh=([^;]*);/.exec(String(appendHeader.mock.calls[0]![1]))![1]!;
    },
  };
}

const said = {
  playerId: '7b3f0f5c-8f5e-4a53-9d0c-1c2d3e4f5a6b',
  sessionId: '0d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e',
  refreshCount: 7,
  answer: 0,
};

describe('refresh tokens', () => {
  test('contain the session and the exchange, and are the same every time', () => {
    const tokens = tokensOf(NEW);
    expect(tokens.read(tokens.issue(said))).toEqual(said);
    expect(tokens.issue(said)).toBe(tokens.issue(said));
  });

  test('differ for each answer to one exchange', () => {
    const tokens = tokensOf(NEW);
    const copies = [0, 1, 12].map((answer) => ({ ...said, answer }));
    expect(copies.map((copy) => tokens.read(tokens.issue(copy)))).toEqual(copies);
    expect(tokens.issue(said)).toMatch(/^[\da-f-]{36}_[\da-f-]{36}\.7\.[\w-]{43}$/);
  });

  test('stay valid when the secret is replaced', () => {
    const old = tokensOf(OLD).issue(said);
    expect(tokensOf(NEW, OLD).read(old)).toEqual(said);
    expect(tokensOf(NEW, OLD).issue(said)).toBe(tokensOf(NEW).issue(said));
    expect(tokensOf(NEW).read(old)).toBeUndefined();
  });

  test('are invalid when any part is changed', () => {
    const tokens = tokensOf(NEW);
    const [session, count, signature] = tokens.issue(said).split('.') as [string, string, string];
    const forged = [
      `${session}.8.${signature}`,
      `${session}.07.${signature}`,
      `${session}.${count}.0.${signature}`,
      `${session}.${count}.1.${signature}`,
      `${session.replace('0', '1')}.${count}.${signature}`,
      `${said.sessionId}.${count}.${signature}`,
      `_${said.sessionId}.${count}.${signature}`,
      `${session}.${count}.${'A'.repeat(43)}`,
      `${session}.${count}.${signature}=`,
      `${session}.${count}.`,
      `${session}.${count}`,
      '',
    ];
    expect(forged.map((token) => tokens.read(token))).toEqual(forged.map(() => undefined));
  });
});
