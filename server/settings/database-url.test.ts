import { describe, expect, test } from '@jest/globals';
import { parseDatabaseUrl, problemOfDatabaseUrl, problemOfReplicaUrl } from './database-url.js';

describe('parseDatabaseUrl', () => {
  test('leaves the address of one host as it is', () => {
    const url = 'postgresql://player:p%40ss@db:5432/game?sslmode=require';
    expect(parseDatabaseUrl(url)).toEqual({ urls: [url], findsPrimary: false });
  });

  test('gives each of several hosts the user, the database and the parameters', () => {
    expect(parseDatabaseUrl('postgres://u:p@a:1,[::1]:2/game?sslmode=require&target_session_attrs=read-write')).toEqual(
      {
        urls: ['postgres://u:p@a:1/game?sslmode=require', 'postgres://u:p@[::1]:2/game?sslmode=require'],
        findsPrimary: true,
      },
    );
  });

  test.each([
    ['primary', true],
    ['any', false],
  ])('with target_session_attrs=%s, one host must accept writes: %s', (target, findsPrimary) => {
    const parsed = parseDatabaseUrl(`postgresql://db/game?target_session_attrs=${target}`);
    expect(parsed).toEqual({ urls: ['postgresql://db/game'], findsPrimary });
  });
});

test.each([
  ['mysql://db/game', 'must begin with postgres'],
  ['postgresql://a,,b/game', 'empty host'],
  ['postgresql://a:port,b/game', 'must be an address'],
  ['postgresql://a,b/game?target_session_attrs=any', 'must be read-write or primary'],
  ['postgresql://a/game?target_session_attrs=standby', 'must be read-write or primary'],
])('refuses %s as the address of the database', (url, problem) => {
  expect(problemOfDatabaseUrl('DATABASE_URL', url)).toContain(problem);
});

test.each([
  ['postgresql://a,b/game', 'must name one standby'],
  ['postgresql://a/game?target_session_attrs=read-write', 'must name one standby'],
  ['http://a/game', 'must begin with postgres'],
])('refuses %s as the address of the replica', (url, problem) => {
  expect(problemOfReplicaUrl('DATABASE_REPLICA_URL', url)).toContain(problem);
});

test.each(['postgresql://a/game', 'postgres://u:p@a:1,b:2/game', 'postgresql:///game?host=/run'])(
  'accepts %s',
  (url) => {
    expect(problemOfDatabaseUrl('DATABASE_URL', url)).toBeUndefined();
  },
);
