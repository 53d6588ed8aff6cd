/** What the files of a folder may import because of their role, and the packages that a folder may import. */
import { NEUTRAL_UI, PURE_GAME } from './folders.js';

/**
 * @typedef {{ from: string, unless?: string[], not?: string[], except?: string[], packages?: string[], node?: true,
 *   kind?: 'value', because: string }} Restriction `from`, except `unless`, may import neither `not`, except `except`, nor
 *   `packages`, nor, with `node`, modules of Node
 */

/** Which files have which role. */
export const ROLE_FILES = {
  'role:entity': 'server/**/*.entity.ts',
  'role:type': 'server/**/*.type.ts',
  'role:service': 'server/**/*.service.ts',
  'role:entry': 'server/**/*.{controller,resolver}.ts',
  'role:module': 'server/**/*.module.ts',
  'role:names': 'server/auth/{players/provider-name,sessions/scopes}.ts',
  // The names and types of the sums, from which their columns are made.
  'role:sums': 'server/counting/{sums,sums-tables}.ts',
  // Functions that compute a field of a GraphQL type.
  'role:field': 'server/auth/{players/picture,sessions/browser-name}.ts',
  'role:test': ['**/*.test.{ts,tsx}', 'test/**', 'client/testing/**'],
};

/** @type {Restriction[]} */
export const ROLES = [
  {
    from: 'role:entry',
    not: ['role:entity'],
    packages: ['typeorm', '@nestjs/typeorm'],
    because: 'A resolver or controller asks a service. Rows stay behind it, so that they never become an answer.',
  },
  {
    from: 'server/**',
    unless: ['role:module'],
    not: ['role:entry'],
    because:
      'A resolver or controller is an entry point: only its module imports it. Put what others need into a service.',
  },
  {
    from: 'server/**',
    unless: ['role:module', 'server'],
    not: ['role:module'],
    because: 'A module composes: only another module and app.ts import it.',
  },
  {
    from: 'role:entity',
    not: ['**'],
    except: ['role:entity', 'role:names', 'role:sums', 'game'],
    packages: ['@nestjs/*'],
    because: 'An entity is a row: it imports no service, and it is never a GraphQL type.',
  },
  {
    from: 'role:type',
    not: ['**'],
    except: ['role:type', 'role:entity', 'role:names', 'role:field', 'game'],
    packages: ['typeorm', '@nestjs/typeorm', 'pg'],
    because: 'A GraphQL type is never a row and asks no service: the API must not change with the tables.',
  },
  {
    from: 'role:type',
    not: ['role:entity'],
    kind: 'value',
    because: 'A GraphQL type is never a row: it may use the type of an entity, and not its class.',
  },
  {
    from: 'game',
    packages: ['**'],
    because: PURE_GAME,
  },
  {
    from: 'client/**',
    packages: ['@nestjs/**', 'typeorm', 'pg', 'fastify'],
    node: true,
    because: 'The page runs in a browser: it imports no package of the server and no module of Node.',
  },
  {
    from: 'server/**',
    packages: ['react*', '@apollo/client', 'vite'],
    because: 'The server imports no package of the page, nor the tool that builds it.',
  },
  {
    from: 'server/database',
    packages: ['fastify', '@nestjs/graphql'],
    because: 'database/ connects. It knows neither HTTP nor GraphQL.',
  },
  {
    from: 'server/**',
    unless: ['server/metrics'],
    packages: ['prom-client'],
    because: 'Publish an event with `Observed`: metrics/ is the only folder that knows this package.',
  },
  {
    from: 'client/ui',
    packages: ['@apollo/**', 'graphql', 'graphql-ws'],
    because: NEUTRAL_UI,
  },
];
