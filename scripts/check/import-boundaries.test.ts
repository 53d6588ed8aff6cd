import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';

/** [what is wrong, its file, its source, a part of the message that gives the reason] */
const FORBIDDEN: [string, string, string, RegExp][] = [
  // The parts of the product.
  ['page -> server', 'client/play/useGame.ts', `import '../../server/settings/env.js';`, /meet only in App/],
  [
    'page -> server, for its types',
    'client/App.tsx',
    `import type { A } from '../server/settings/env.js';`,
    /schema.graphql/,
  ],
  ['server -> page', 'server/web/page/page.ts', `import '../../client/apollo.js';`, /web\/ serves every feature/],
  ['app.ts -> page', 'server/app/app.ts', `import '../client/apollo.js';`, /neither the page/],
  ['game -> server', 'game/rules.ts', `import '../server/base/clock.js';`, /nothing from outside itself/],
  ['game -> package', 'game/rules.ts', `import 'rxjs';`, /nothing from outside itself/],
  ['game -> Node', 'game/rules.ts', `import 'node:fs';`, /nothing from outside itself/],
  ['product -> test', 'server/main.ts', `void import('../test/support/postgres.js');`, /does not import tests/],
  ['product -> testing', 'client/main.tsx', `import './testing/server.js';`, /does not import tests/],
  ['scripts -> test', 'scripts/seed.js', `import '../test/builders/players.js';`, /does not import tests/],
  ['test of the page -> server', 'client/App.test.tsx', `import '../server/settings/env.js';`, /only through HTTP/],
  ['test of the server -> page', 'server/web/a.test.ts', `import '../../client/apollo.js';`, /serves every feature/],
  ['test of auth -> games', 'server/auth/players/a.test.ts', `import '../../games/b.js';`, /players -> sessions/],
  ['product -> scripts', 'server/main.ts', `import '../scripts/machine/run.js';`, /nor the scripts/],
  ['scripts -> source of the product', 'scripts/seed.js', `import '../server/settings/env.js';`, /no source of it/],

  ['scripts -> benchmark', 'scripts/seed.js', `import '../benchmark/load.js';`, /no source of it/],
  ['benchmark -> server', 'benchmark/bench.js', `import '../server/settings/env.js';`, /beside its peers/],
  ['product -> benchmark', 'server/main.ts', `import '../benchmark/load.js';`, /nor the scripts/],
  ['configuration -> product', 'vite.config.ts', `import './server/settings/env.js';`, /nothing of the product/],

  // The packages of the parts.
  ['page -> Nest', 'client/play/a.ts', `import '@nestjs/common';`, /runs in a browser/],
  ['page -> typeorm', 'client/apollo.ts', `import 'typeorm';`, /runs in a browser/],
  ['page -> pg', 'client/App.tsx', `import 'pg';`, /runs in a browser/],
  ['page -> Fastify', 'client/ui/a.ts', `import 'fastify';`, /runs in a browser/],
  ['page -> Node', 'client/play/a.ts', `import 'node:fs/promises';`, /runs in a browser/],
  ['page -> Node, without the prefix', 'client/play/a.ts', `import 'fs';`, /runs in a browser/],
  ['server -> React', 'server/web/page/page.ts', `import 'react';`, /no package of the page/],
  ['server -> React DOM', 'server/app/app.ts', `import 'react-dom/server';`, /no package of the page/],
  ['server -> Apollo Client', 'server/games/a.ts', `import '@apollo/client/react';`, /no package of the page/],
  ['server -> Vite', 'server/web/page/page.ts', `import 'vite';`, /no package of the page/],
  ['database -> Fastify', 'server/database/a.ts', `import type { A } from 'fastify';`, /HTTP nor GraphQL/],
  ['database -> GraphQL', 'server/database/a.ts', `import '@nestjs/graphql';`, /HTTP nor GraphQL/],

  // The folders of the server.
  ['settings -> feature', 'server/settings/env.ts', `import '../games/tickets.js';`, /stands below/],
  ['keys -> database', 'server/settings/keys.ts', `import '../database/limits.js';`, /stands below/],
  ['database -> web', 'server/database/pool/limits.ts', `import '../../web/log.js';`, /neither HTTP, nor a table/],
  ['web -> games', 'server/web/page/page.ts', `import '../../games/tickets.js';`, /serves every feature/],
  ['web -> auth', 'server/web/page/page.ts', `import '../../auth/players/profile.js';`, /serves every feature/],
  ['web -> graphql', 'server/web/middleware.ts', `import '../graphql/requests.js';`, /serves every feature/],
  ['graphql -> leaderboard', 'server/graphql/cost.ts', `import '../leaderboard/limit.js';`, /imports none/],
  ['graphql/sockets -> auth', 'server/graphql/sockets/admission.ts', `import '../../auth/a.js';`, /imports none/],
  ['auth -> stats', 'server/auth/auth.module.ts', `import '../stats/stats.module.js';`, /below every feature/],
  ['players -> sessions', 'server/auth/players/a.ts', `import '../sessions/b.js';`, /players -> sessions/],
  ['sessions -> sign-in', 'server/auth/sessions/a.ts', `import '../sign-in/b.js';`, /lives on/],
  ['a provider -> the sign-in', 'server/auth/sign-in/providers/a.ts', `import '../b.js';`, /gives a profile/],
  [
    'local provider -> sessions',
    'server/auth/sign-in/local/a.ts',
    `import '../../sessions/b.js';`,
    /replaces a provider/,
  ],
  ['stats -> games', 'server/stats/stats.service.ts', `import '../games/tickets.js';`, /never the other way/],
  ['stats -> account', 'server/stats/stats.service.ts', `import '../account/a.js';`, /never the other way/],
  ['games -> leaderboard', 'server/games/a.ts', `import '../leaderboard/b.js';`, /meet in counting/],
  ['games -> sign-in', 'server/games/a.ts', `import '../auth/sign-in/b.js';`, /meet in counting/],
  ['leaderboard -> games', 'server/leaderboard/a.ts', `export * from '../games/b.js';`, /meet in counting/],
  ['account -> leaderboard', 'server/account/a.ts', `import '../leaderboard/b.js';`, /knows no leaderboard/],
  ['feature -> app.ts', 'server/games/a.ts', `import '../app/app.js';`, /meet in counting/],
  ['an unlisted folder', 'server/news/a.ts', `export {};`, /does not list this folder/],
  ['an unlisted folder inside a listed one', 'server/operator/deep/a.ts', `export {};`, /does not list this folder/],
  ['an unlisted folder of the page', 'client/news/a.ts', `export {};`, /does not list this folder/],
  ['app.ts -> an unlisted folder', 'server/app/app.ts', `import '../news/b.js';`, /neither the page/],
  ['a folder for everything', 'server/utils/a.ts', `export {};`, /named by what it holds/],

  // The roles inside a feature.
  ['resolver -> entity', 'server/stats/a.resolver.ts', `import './player-stats.entity.js';`, /asks a service/],
  ['controller -> typeorm', 'server/games/a.controller.ts', `import 'typeorm';`, /asks a service/],
  ['resolver -> @nestjs/typeorm', 'server/games/a.resolver.ts', `import '@nestjs/typeorm';`, /asks a service/],
  ['resolver -> type of typeorm', 'server/games/a.resolver.ts', `export type { A } from 'typeorm';`, /asks a service/],
  ['service -> resolver', 'server/games/games.service.ts', `import './games.resolver.js';`, /entry point/],
  ['controller -> resolver', 'server/games/a.controller.ts', `import './games.resolver.js';`, /entry point/],
  ['service -> module', 'server/games/games.service.ts', `import './games.module.js';`, /A module composes/],
  [
    'entity -> service',
    'server/counting/tables/game.entity.ts',
    `import '../months.service.js';`,
    /An entity is a row/,
  ],
  ['entity -> GraphQL', 'server/counting/tables/game.entity.ts', `import '@nestjs/graphql';`, /An entity is a row/],
  ['entity -> GraphQL type', 'server/counting/tables/game.entity.ts', `import './game.type.js';`, /An entity is a row/],
  ['GraphQL type -> typeorm', 'server/games/game.type.ts', `import 'typeorm';`, /never a row/],
  [
    'GraphQL type -> entity class',
    'server/games/game.type.ts',
    `import { Game } from './game.entity.js';`,
    /never a row/,
  ],
  ['GraphQL type -> service', 'server/games/game.type.ts', `import './games.service.js';`, /asks no service/],

  ['GraphQL type -> pg', 'server/games/game.type.ts', `import 'pg';`, /never a row/],
  ['GraphQL type -> resolver', 'server/games/game.type.ts', `import './games.resolver.js';`, /asks no service/],
  ['GraphQL type -> any other file', 'server/games/game.type.ts', `import './recorder.js';`, /asks no service/],
  ['GraphQL type -> web', 'server/games/game.type.ts', `import '../web/log.js';`, /asks no service/],

  // The folders of the page.
  ['feature -> feature', 'client/play/a.ts', `import '../stats/b.js';`, /only in App.tsx/],
  ['feature -> App', 'client/play/a.ts', `import { App } from '../App.js';`, /only in App.tsx/],
  ['feature -> main', 'client/stats/a.ts', `import '../main.js';`, /only in App.tsx/],
  ['shared code -> feature', 'client/playerStorage.ts', `import './play/outbox.js';`, /imports no feature/],
  ['requests -> feature', 'client/apollo.ts', `import './play/outbox.js';`, /know no other feature/],
  ['the session -> requests', 'client/auth/session.ts', `import '../apollo.js';`, /only in App.tsx/],
  ['ui -> feature', 'client/ui/a.ts', `import '../auth/b.js';`, /neither a feature nor GraphQL/],
  ['ui -> Apollo Client', 'client/ui/a.ts', `import '@apollo/client/react';`, /neither a feature nor GraphQL/],
  ['ui -> documents', 'client/ui/a.ts', `import '../graphql/generated.js';`, /neither a feature nor GraphQL/],

  ['messages -> feature', 'client/messages/game.ts', `import '../play/a.js';`, /are data/],
  ['documents -> feature', 'client/graphql/subscribe.ts', `import '../play/a.js';`, /knows no feature/],

  // Every kind of import.
  ['an import of types', 'server/web/a.ts', `import type { A } from '../games/b.js';`, /serves every feature/],
  ['an import of inline types', 'server/web/a.ts', `import { type A } from '../games/b.js';`, /serves every feature/],
  ['an import() type', 'server/web/a.ts', `export type A = import('../games/b.js').A;`, /serves every feature/],
  ['a typeof import()', 'server/web/a.ts', `export type A = typeof import('../games/b.js');`, /serves every feature/],
  ['a dynamic import', 'server/web/a.ts', `void import('../games/b.js');`, /serves every feature/],
  ['a computed import', 'server/web/a.ts', 'void import(`../games/b.js`);', /as a literal/],
  ['a computed import of env.ts', 'server/settings/env.ts', `void import('./games/' + String(1));`, /as a literal/],
  ['a computed import of a script', 'scripts/seed.js', `void import('../server/' + name);`, /as a literal/],
  ['a computed import of a configuration', 'vite.config.ts', `void import('./server/' + name);`, /as a literal/],
  ...['jsx', 'mjs', 'cjs', 'mts', 'cts'].map((extension): [string, string, string, RegExp] => [
    `an import of a .${extension} file`,
    `server/web/a.${extension}`,
    extension === 'cjs' ? `require('../games/b.js');` : `import '../games/b.js';`,
    /serves every feature/,
  ]),
  ['an export', 'server/web/a.ts', `export { a } from '../games/b.js';`, /serves every feature/],
  ['an export of types', 'server/web/a.ts', `export type { A } from '../games/b.js';`, /serves every feature/],
  ['import = require()', 'server/web/a.ts', `import a = require('../games/b.js');`, /serves every feature/],

  // Other rules of the architecture.
  ['game reading the clock', 'game/rules.ts', `export const now = Date.now();`, /pass it in instead/],
  ['game throwing dice', 'game/bot.ts', `export const chance = Math.random();`, /pass it in instead/],
  [
    'server reading a setting',
    'server/main.ts',
    `export const port = process.env.PORT;`,
    /Only server\/settings\/env.ts reads/,
  ],
  ['page reading a setting', 'client/main.tsx', `void process.env;`, /Only server/],
  ['a setting by destructuring', 'server/main.ts', `export const { env } = process;`, /Only server/],
  ['a setting by a renamed property', 'server/main.ts', `export const { env: e } = process;`, /Only server/],
  ['a setting by a computed member', 'server/main.ts', `export const e = process['env'];`, /Only server/],
  ['a setting by globalThis', 'server/main.ts', `export const e = globalThis.process.env;`, /Only server/],
  ['a setting by an import', 'server/main.ts', `import { env } from 'node:process';`, /Only server/],
  ['a setting by a renamed import', 'server/main.ts', `import { env as e } from 'process';`, /Only server/],
  ['a setting by a namespace', 'server/main.ts', `import * as p from 'node:process';`, /Only server/],
  ['server reading the clock', 'server/auth/auth.module.ts', `export const now = new Date();`, /Ask the Clock/],
];

const ALLOWED: [string, string, string][] = [
  ['page -> game', 'client/play/a.ts', `import '../../game/rules.js';`],
  ['server -> game', 'server/games/a.ts', `import '../../game/rules.js';`],
  ['own folder', 'server/games/a.ts', `import './tickets.js';\nexport * from './day.js';`],
  ['games -> stats and sessions', 'server/games/a.ts', `import '../stats/a.js';\nimport '../auth/sessions/a.js';`],
  ['leaderboard -> players', 'server/leaderboard/a.ts', `import '../auth/players/picture.js';`],
  [
    'account -> games, stats, sign-in',
    'server/account/a.ts',
    `import '../games/a.js';\nimport '../auth/sign-in/b.js';`,
  ],
  ['sign-in -> providers', 'server/auth/sign-in/a.ts', `import './providers/google.js';\nimport './local/b.js';`],
  ['sign-in -> sessions', 'server/auth/sign-in/a.ts', `import '../sessions/b.js';`],
  [
    'web -> settings and database',
    'server/web/a.ts',
    `import '../settings/keys.js';\nimport '../database/errors/a.js';`,
  ],
  ['app.ts -> every folder', 'server/app/app.ts', `import '../web/a.js';\nimport '../auth/players/b.js';`],
  ['module -> resolver', 'server/games/games.module.ts', `import './games.resolver.js';`],
  ['module -> module', 'server/games/games.module.ts', `import '../auth/auth.module.js';`],
  ['resolver -> service and type', 'server/games/a.resolver.ts', `import './a.service.js';\nimport './a.type.js';`],
  ['service -> entity and typeorm', 'server/games/a.service.ts', `import './game.entity.js';\nimport 'typeorm';`],
  ['entity -> game and typeorm', 'server/games/a.entity.ts', `import '../../game/bot.js';\nimport 'typeorm';`],
  ['GraphQL type -> type of an entity', 'server/games/a.type.ts', `export type { Game } from './game.entity.js';`],
  ['GraphQL type -> type and field', 'server/auth/players/a.type.ts', `import './picture.js';\nimport './b.type.js';`],
  ['App -> every feature', 'client/App.tsx', `import './play/a.js';\nimport './stats/a.js';`],
  ['main -> App', 'client/main.tsx', `void import('./App.js');`],
  ['feature -> ui, documents, requests', 'client/play/a.ts', `import '../ui/b.js';\nimport '../apollo.js';`],
  ['the playground -> the session', 'client/playground/main.tsx', `import '../auth/session.js';`],
  ['ui -> React', 'client/ui/a.tsx', `import 'react';`],
  ['test -> its support', 'server/games/a.test.ts', `import '../../test/support/postgres.js';`],
  ['test -> another feature', 'client/play/a.test.ts', `import '../stats/b.js';`],
  ['test of game -> package', 'game/a.test.ts', `import 'fast-check';`],
  ['support -> the product', 'test/builders/a.ts', `import '../../server/counting/tables/game.entity.js';`],
  ['script -> script and package', 'scripts/a.js', `import './machine/run.js';\nimport 'vite';`],
  ['configuration -> script', 'vite.config.ts', `import './scripts/machine/run.js';`],
  ['main.ts handing the environment to readEnv', 'server/main.ts', `readEnv(process.env);`],
  ['env.ts reading a setting', 'server/settings/env.ts', `export const port = process.env.PORT;`],
  ['a computed import of built files', 'benchmark/product.js', `void import('../dist/' + name);`],
  ['a given time', 'server/auth/auth.module.ts', `export const then = new Date(0);`],
];

/** The rules that hold the architecture: what else lint says about these lines does not matter here. */
const RULES = /^(boundaries\/|no-restricted-)/;

let messages: string[][];

/** One process lints all, because Jest's module loader cannot load ESLint's. Types are off: these files do not exist. */
beforeAll(async () => {
  const program = `
    import { ESLint } from 'eslint';
    import tseslint from 'typescript-eslint';
    const eslint = new ESLint({ overrideConfig: tseslint.configs.disableTypeChecked });
    const answers = [];
    for (const [, filePath, source] of JSON.parse(process.argv[1])) {
      const [{ messages }] = await eslint.lintText(source, { filePath });
      answers.push(messages.filter(({ ruleId }) => !ruleId || ${String(RULES)}.test(ruleId)).map(({ message }) => message));
    }
    console.log(JSON.stringify(answers));`;
  const cases = JSON.stringify([...FORBIDDEN, ...ALLOWED]);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, cases]);
  messages = JSON.parse(stdout) as string[][];
}, 300_000);

describe('lint refuses, and gives the reason', () => {
  test.each(FORBIDDEN)('%s', (title, _file, _source, reason) => {
    expect(messages[FORBIDDEN.findIndex(([other]) => other === title)]).toContainEqual(expect.stringMatching(reason));
  });
});

describe('lint allows', () => {
  test.each(ALLOWED)('%s', (title) => {
    expect(messages[FORBIDDEN.length + ALLOWED.findIndex(([other]) => other === title)]).toEqual([]);
  });
});
