import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';

type Case = [file: string, source: string, reason: RegExp];

const importing = (reason: RegExp, cases: [file: string, path: string][]) =>
  cases.map(([file, path]): Case => [file, `import '${path}';`, reason]);

const FORBIDDEN: Case[] = [
  ...importing(/ may import .*: see scripts\/check\/import-boundaries\.js/, [
    // The parts of the product.
    ['client/play/useGame.ts', '../../server/settings/env.js'],
    ['client/App.tsx', '../server/settings/env.js'],
    ['client/App.test.tsx', '../server/settings/env.js'],
    ['server/app/app.ts', '../client/apollo.js'],
    ['server/web/a.test.ts', '../../client/apollo.js'],
    ['server/main.ts', '../scripts/machine/run.js'],
    ['server/main.ts', '../benchmark/load.js'],
    ['game/rules.ts', '../server/base/clock.js'],
    ['scripts/seed.js', '../server/settings/env.js'],
    ['scripts/seed.js', '../benchmark/load.js'],
    ['benchmark/bench.js', '../server/settings/env.js'],
    ['vite.config.ts', './server/settings/env.js'],
    // The folders of the server.
    ['server/settings/env.ts', '../games/tickets.js'],
    ['server/settings/keys.ts', '../database/limits.js'],
    ['server/database/pool/limits.ts', '../../web/log.js'],
    ['server/web/page/page.ts', '../../games/tickets.js'],
    ['server/web/page/page.ts', '../../auth/players/profile.js'],
    ['server/web/middleware.ts', '../graphql/requests.js'],
    ['server/graphql/cost.ts', '../leaderboard/limit.js'],
    ['server/graphql/sockets/admission.ts', '../../auth/a.js'],
    ['server/auth/auth.module.ts', '../stats/stats.module.js'],
    ['server/auth/players/a.ts', '../sessions/b.js'],
    ['server/auth/players/a.test.ts', '../../games/b.js'],
    ['server/auth/sessions/a.ts', '../sign-in/b.js'],
    ['server/auth/sign-in/providers/a.ts', '../b.js'],
    ['server/auth/sign-in/local/a.ts', '../../sessions/b.js'],
    ['server/stats/a.ts', '../games/tickets.js'],
    ['server/stats/a.ts', '../account/a.js'],
    ['server/games/a.ts', '../leaderboard/b.js'],
    ['server/games/a.ts', '../auth/sign-in/b.js'],
    ['server/games/a.ts', '../app/app.js'],
    ['server/leaderboard/a.ts', '../games/b.js'],
    ['server/account/a.ts', '../leaderboard/b.js'],
    ['server/app/app.ts', '../news/b.js'],
    // The folders of the page.
    ['client/play/a.ts', '../stats/b.js'],
    ['client/play/a.ts', '../App.js'],
    ['client/stats/a.ts', '../main.js'],
    ['client/playerStorage.ts', './play/outbox.js'],
    ['client/apollo.ts', './play/outbox.js'],
    ['client/auth/session.ts', '../apollo.js'],
    ['client/ui/a.ts', '../auth/b.js'],
    ['client/ui/a.ts', '../graphql/generated.js'],
    ['client/messages/game.ts', '../play/a.js'],
    ['client/graphql/fetchLink.ts', '../play/a.js'],
  ]),
  ...importing(/Production code imports no tests/, [
    ['server/main.ts', '../test/support/postgres.js'],
    ['client/main.tsx', './testing/server.js'],
    ['scripts/seed.js', '../test/builders/players.js'],
  ]),
  ...importing(/The page runs in a browser/, [
    ['client/play/a.ts', '@nestjs/common'],
    ['client/apollo.ts', 'typeorm'],
    ['client/App.tsx', 'pg'],
    ['client/ui/a.ts', 'fastify'],
    ['client/play/a.ts', 'node:fs/promises'],
    ['client/play/a.ts', 'fs'],
  ]),
  ...importing(/The server imports no package of the page/, [
    ['server/web/page/page.ts', 'react'],
    ['server/app/app.ts', 'react-dom/server'],
    ['server/games/a.ts', '@apollo/client/react'],
    ['server/web/page/page.ts', 'vite'],
  ]),
  ...importing(/game\/ plays the same game/, [
    ['game/rules.ts', 'rxjs'],
    ['game/rules.ts', 'node:fs'],
  ]),
  ...importing(/neither HTTP nor GraphQL/, [
    ['server/database/a.ts', 'fastify'],
    ['server/database/a.ts', '@nestjs/graphql'],
  ]),
  ...importing(/client\/ui draws/, [['client/ui/a.ts', '@apollo/client/react']]),
  ...importing(/Publish an event/, [['server/games/a.ts', 'prom-client']]),

  ...['server/news/a.ts', 'server/operator/deep/a.ts', 'client/news/a.ts'].map((file): Case => {
    return [file, 'export {};', /does not list this folder/];
  }),

  // Every kind of import.
  ...[
    `import type { A } from '../games/b.js';`,
    `import { type A } from '../games/b.js';`,
    `export type A = import('../games/b.js').A;`,
    `export type A = typeof import('../games/b.js');`,
    `void import('../games/b.js');`,
    `export { a } from '../games/b.js';`,
    `export type { A } from '../games/b.js';`,
    `export * from '../games/b.js';`,
    `import a = require('../games/b.js');`,
  ].map((source): Case => ['server/web/a.ts', source, /server\/web may import/]),
  ...['jsx', 'mjs', 'mts', 'cts'].map((end): Case => {
    return [`server/web/a.${end}`, `import '../games/b.js';`, /server\/web may import/];
  }),
  ['server/web/a.cjs', `require('../games/b.js');`, /server\/web may import/],
  ['server/web/a.ts', 'void import(`../games/b.js`);', /as a literal/],
  ['server/settings/env.ts', `void import('./games/' + String(1));`, /as a literal/],
  ['scripts/seed.js', `void import('../server/' + name);`, /as a literal/],
  ['vite.config.ts', `void import('./server/' + name);`, /as a literal/],

  // Other rules of the architecture.
  ['game/rules.ts', `export const now = Date.now();`, /pass it in instead/],
  ['game/bot.ts', `export const chance = Math.random();`, /pass it in instead/],
  ['server/auth/auth.module.ts', `export const now = new Date();`, /Ask the Clock/],
  ['client/main.tsx', `void process.env;`, /Only server\/settings\/env.ts reads/],
  ...[
    `export const port = process.env.PORT;`,
    `export const { env } = process;`,
    `export const { env: e } = process;`,
    `export const e = process['env'];`,
    `export const e = globalThis.process.env;`,
    `import { env } from 'node:process';`,
    `import { env as e } from 'process';`,
    `import * as p from 'node:process';`,
  ].map((source): Case => ['server/main.ts', source, /Only server\/settings\/env.ts reads/]),
];

const ALLOWED: [file: string, source: string][] = [
  ['client/play/a.ts', `import '../../game/rules.js';`],
  ['client/play/a.ts', `import '../ui/b.js'; import '../apollo.js';`],
  ['client/play/a.test.ts', `import '../stats/b.js';`],
  ['client/App.tsx', `import './play/a.js'; import './stats/a.js';`],
  ['client/main.tsx', `void import('./App.js');`],
  ['client/playground/main.tsx', `import '../auth/session.js';`],
  ['client/ui/a.tsx', `import 'react';`],
  ['server/games/a.ts', `import '../../game/rules.js'; import './tickets.js'; export * from './day.js';`],
  ['server/games/a.ts', `import '../stats/a.js'; import '../auth/sessions/a.js';`],
  ['server/games/a.test.ts', `import '../../test/support/postgres.js';`],
  ['server/leaderboard/a.ts', `import '../auth/players/picture.js';`],
  ['server/account/a.ts', `import '../games/a.js'; import '../auth/sign-in/b.js';`],
  ['server/auth/sign-in/a.ts', `import './providers/google.js'; import './local/b.js'; import '../sessions/b.js';`],
  ['server/web/a.ts', `import '../settings/keys.js'; import '../database/errors/a.js';`],
  ['server/app/app.ts', `import '../web/a.js'; import '../auth/players/b.js';`],
  ['server/main.ts', `readEnv(process.env);`],
  ['server/settings/env.ts', `export const port = process.env.PORT;`],
  ['server/auth/auth.module.ts', `export const then = new Date(0);`],
  ['game/a.test.ts', `import 'fast-check';`],
  ['test/builders/a.ts', `import '../../server/counting/tables/game.entity.js';`],
  ['scripts/a.js', `import './machine/run.js'; import 'vite';`],
  ['vite.config.ts', `import './scripts/machine/run.js';`],
  ['benchmark/product.js', `void import('../dist/' + name);`],
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
    for (const [filePath, source] of JSON.parse(process.argv[1])) {
      const [{ messages }] = await eslint.lintText(source, { filePath });
      answers.push(messages.filter(({ ruleId }) => !ruleId || ${String(RULES)}.test(ruleId)).map(({ message }) => message));
    }
    console.log(JSON.stringify(answers));`;
  const cases = JSON.stringify([...FORBIDDEN, ...ALLOWED]);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, cases]);
  messages = JSON.parse(stdout) as string[][];
}, 300_000);

describe('lint refuses, and gives the reason', () => {
  test.each(FORBIDDEN.map(([...all], at) => [...all, at] as const))('%s: %s', (_file, _source, reason, at) => {
    expect(messages[at]).toContainEqual(expect.stringMatching(reason));
  });
});

describe('lint allows', () => {
  test.each(ALLOWED.map(([...all], at) => [...all, at] as const))('%s: %s', (_file, _source, at) => {
    expect(messages[FORBIDDEN.length + at]).toEqual([]);
  });
});
