import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Env, readEnv } from '../settings/env.js';
import { settingProblems } from './doctor.js';

const RANDOM = 'q7Zp0XfUeB2mVw9KcYtR4hNsLj8aGd1I';
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: 'https://play.example.org',
  DATABASE_URL: 'postgresql://server:0f9c2b7d4e6a8135@database:5432/game',
  AUTH_SECRET: RANDOM,
  GOOGLE_CLIENT_ID: 'google',
  GOOGLE_CLIENT_SECRET: 'of google',
  GITHUB_CLIENT_ID: 'github',
  GITHUB_CLIENT_SECRET: 'of github',
};
const problemsWith = (changed: object) =>
  settingProblems(readEnv({ ...PRODUCTION, ...changed })).map(({ said }) => said);

test('settings of production with random secrets have no problem', () => {
  expect(problemsWith({})).toEqual([]);
});

test('a guessable secret is a problem, also an old one', () => {
  expect(problemsWith({ AUTH_SECRET: `${RANDOM},${'ab'.repeat(20)}` })).toEqual([
    'AUTH_SECRET, number 2, does not look random',
  ]);
  expect(problemsWith({ AUTH_SECRET: 'please change me: q7Zp0XfUeB2mVw9KcYt' })).toHaveLength(1);
});

test('no random secret is a problem, in hexadecimal or base64', () => {
  // Digests are as random as secrets, and the same in every run.
  const secrets = Array.from({ length: 4_000 }, (_, n) => createHash('sha384').update(String(n)).digest()).flatMap(
    (bytes) => [
      bytes.toString('hex'),
      bytes.toString('hex', 0, 16),
      bytes.toString('base64'),
      bytes.toString('base64url'),
    ],
  );
  const refused = secrets.filter((secret) => {
    const env = Object.assign(new Env(), { authSecrets: [secret], production: false });
    return settingProblems(env).length > 0;
  });
  expect(refused).toEqual([]);
});

test.each([
  'password-password-password-password',
  'Passphrase-for-our-tic-tac-toe-2026',
  '12345678901234567890123456789012',
  'abcdefghijklmnopqrstuvwxyz-ABCDEFG',
  '0123456789abcdef0123456789abcdef',
  'qwertyuiopasdfghjklzxcvbnm-qwertyuiop',
  'default-default-default-default-42',
])('the guessable secret %s is a problem', (secret) => {
  expect(problemsWith({ AUTH_SECRET: secret })).toEqual(['AUTH_SECRET does not look random']);
});

test('a short password, one secret for both providers and plain http are problems', () => {
  const changed = {
    DATABASE_URL: 'postgresql://server:short@database:5432/game',
    GITHUB_CLIENT_SECRET: 'of google',
    PUBLIC_ORIGIN: 'http://play.example.org',
  };
  expect(problemsWith(changed)).toHaveLength(3);
});
