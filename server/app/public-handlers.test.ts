import { describe, expect, test } from '@jest/globals';
import type { DynamicModule, Type } from '@nestjs/common';
import { GUARDS_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RESOLVER_NAME_METADATA, RESOLVER_TYPE_METADATA } from '@nestjs/graphql/dist/graphql.constants.js';
import { SessionGuard } from '../auth/sessions/session.guard.js';
import { AppModule } from './app.module.js';

const PUBLIC_FIELDS = [
  'Query.challenge',
  'Query.game',
  'Query.leaderboard',
  'Query.player',
  'Subscription.leaderboard',
];

/** A cookie or a code authorises the handlers of `auth`. */
const PUBLIC_ROUTES = [
  '.well-known/jwks.json',
  '.well-known/security.txt',
  'api/leaderboard',
  'auth/github',
  'auth/github/callback',
  'auth/google',
  'auth/google/callback',
  'auth/oidc',
  'auth/oidc/callback',
  'auth/refresh',
  'auth/signout',
  'auth/token',
  'avatar/:playerId.svg',
  'health/live',
  'health/ready',
];

interface Handler {
  /** The field of the root, or the path. */
  readonly name: string;
  readonly isRoute: boolean;
  readonly guards: readonly unknown[];
}

const metadataOf = <Value>(key: string, of: object) => Reflect.getMetadata(key, of) as Value | undefined;

const seen = new Set<unknown>();

/** The controllers and providers of a module and of all that it imports. */
function classesOf(module: Type | DynamicModule): Type[] {
  if (seen.has(module)) return [];
  seen.add(module);
  const isDynamic = 'module' in module;
  const partsOf = <Part>(key: 'imports' | 'controllers' | 'providers') => [
    ...(metadataOf<Part[]>(key, isDynamic ? module.module : module) ?? []),
    ...(((isDynamic && module[key]) || []) as Part[]),
  ];
  const own = [...partsOf<Type>('controllers'), ...partsOf<Type>('providers')];
  const imported = partsOf<Type | DynamicModule>('imports').flatMap(classesOf);
  return [...own.filter((part) => typeof part === 'function'), ...imported];
}

function handlersOf(owner: Type): Handler[] {
  const prototype = owner.prototype as object;
  return Object.getOwnPropertyNames(prototype).flatMap((key): Handler[] => {
    const method = Object.getOwnPropertyDescriptor(prototype, key)!.value as unknown;
    if (key === 'constructor' || typeof method !== 'function') return [];
    const guards = [owner, method].flatMap((of) => metadataOf<unknown[]>(GUARDS_METADATA, of) ?? []);
    const type = metadataOf<string>(RESOLVER_TYPE_METADATA, method) ?? '';
    if (['Query', 'Mutation', 'Subscription'].includes(type)) {
      const field = metadataOf<string>(RESOLVER_NAME_METADATA, method) ?? key;
      return [{ name: `${type}.${field}`, isRoute: false, guards }];
    }
    const base = metadataOf<string>(PATH_METADATA, owner) ?? '';
    const paths = [metadataOf<string | string[]>(PATH_METADATA, method) ?? []].flat();
    return paths.map((path) => ({ name: `${base}/${path}`.replace(/\/+$/, ''), isRoute: true, guards }));
  });
}

describe('a handler needs a session, or is public on purpose', () => {
  const handlers = [...new Set(classesOf(AppModule))].flatMap(handlersOf);
  const guardsOf = ({ guards }: Handler) => guards.filter((guard) => guard === SessionGuard).length;
  const namesOf = (found: readonly Handler[]) => found.map(({ name }) => name).sort();

  test.each([
    ['each field of the root', false, PUBLIC_FIELDS, 20],
    ['each route', true, PUBLIC_ROUTES, 4],
  ])('%s', (_what, isRoute, expected, least) => {
    const found = handlers.filter((handler) => handler.isRoute === isRoute);
    expect(namesOf(found.filter((handler) => guardsOf(handler) === 0))).toEqual(expected);
    expect(found.length - expected.length).toBeGreaterThan(least);
  });
});
