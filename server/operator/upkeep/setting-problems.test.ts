import { expect, test } from '@jest/globals';
import { readEnv } from '../../settings/env.js';
import { settingProblems } from './setting-problems.js';

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

test('a short password, one secret for both providers, forged results and plain http are problems', () => {
  const changed = {
    DATABASE_URL: 'postgresql://server:short@a:5432,b:5432/game',
    GITHUB_CLIENT_SECRET: 'of google',
    REPORTED_RESULTS: 'accept',
    PUBLIC_ORIGIN: 'http://play.example.org',
  };
  expect(problemsWith(changed)).toHaveLength(4);
});
