import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';

/** [what is wrong, the file it stands in, its source, the words of the message that says why] */
const FORBIDDEN: [string, string, string, RegExp][] = [
  [
    'the page importing the server',
    'client/play/useGame.ts',
    `import '../../server/env.js';`,
    /through schema.graphql/,
  ],
  ['the server importing the page', 'server/web/page.ts', `import '../../client/texts.js';`, /does not know the page/],
  ['game/ importing the server', 'game/rules.ts', `import '../server/clock.js';`, /nothing from outside itself/],
  ['game/ importing a package', 'game/rules.ts', `import 'rxjs';`, /nothing from outside itself/],
  ['game/ reading the clock', 'game/rules.ts', `export const now = Date.now();`, /pass it in instead/],
  ['game/ throwing dice', 'game/bot.ts', `export const chance = Math.random();`, /pass it in instead/],
  ['auth importing stats', 'server/auth/auth.module.ts', `import '../stats/stats.module.js';`, /below every feature/],
  ['stats importing games', 'server/stats/stats.service.ts', `import '../games/tickets.js';`, /never the other way/],
  ['games importing leaderboard', 'server/games/a.ts', `import '../leaderboard/b.js';`, /meet in stats/],
  ['leaderboard importing games', 'server/leaderboard/a.ts', `export * from '../games/b.js';`, /meet in stats/],
  [
    'a resolver importing a row',
    'server/stats/stats.resolver.ts',
    `import './player-stats.entity.js';`,
    /asks a service/,
  ],
  ['a controller importing typeorm', 'server/stats/stats.controller.ts', `import 'typeorm';`, /asks a service/],
  ['a row that is a GraphQL type', 'server/games/game.entity.ts', `import '@nestjs/graphql';`, /never a GraphQL type/],
  ['a GraphQL type that is a row', 'server/games/game.type.ts', `import 'typeorm';`, /never a row/],
  ['one feature of the page importing another', 'client/play/a.ts', `import '../stats/b.js';`, /only in App.tsx/],
  ['client/ui importing a feature', 'client/ui/a.ts', `import '../auth/b.js';`, /neither a feature nor GraphQL/],
  ['client/ui importing GraphQL', 'client/ui/a.ts', `import '@apollo/client';`, /neither a feature nor GraphQL/],
  ['the product importing a test', 'server/main.ts', `void import('../test/support/postgres.js');`, /what tests it/],
  ['the product importing a script', 'server/main.ts', `import '../scripts/run.js';`, /runs without it/],
  [
    'the server reading a setting',
    'server/main.ts',
    `export const port = process.env.PORT;`,
    /Only server\/env.ts reads/,
  ],
  [
    'the page reading a setting',
    'client/main.tsx',
    `export const { env } = process;\nvoid process.env;`,
    /Only server/,
  ],
  ['the server reading the clock', 'server/auth/a.ts', `export const now = new Date();`, /Ask the Clock/],
  ['a folder for everything', 'server/utils/a.ts', `export {};`, /named by what it holds/],
];

const ALLOWED: [string, string, string][] = [
  ['everybody to import game/', 'client/play/a.ts', `import '../../game/rules.js';`],
  ['a test to import its support', 'server/games/a.test.ts', `import '../../test/support/postgres.js';`],
  ['a feature to import itself', 'server/games/deep/a.ts', `import '../tickets.js';`],
  ['games to import stats and auth', 'server/games/a.ts', `import '../stats/a.js';\nimport '../auth/a.js';`],
  ['App.tsx to import every feature', 'client/App.tsx', `import './play/a.js';\nimport './stats/a.js';`],
  ['main.ts to hand the environment to readEnv', 'server/main.ts', `readEnv(process.env);`],
  ['a time that is given', 'server/auth/a.ts', `export const then = new Date(0);`],
];

let messages: string[][];

/** One process lints all, as Jest's module loader cannot load ESLint's. Types are left out: these files do not exist. */
beforeAll(async () => {
  const program = `
    import { ESLint } from 'eslint';
    import tseslint from 'typescript-eslint';
    const eslint = new ESLint({ overrideConfig: tseslint.configs.disableTypeChecked });
    const answers = [];
    for (const [, filePath, source] of JSON.parse(process.argv[1])) {
      const [{ messages }] = await eslint.lintText(source, { filePath });
      answers.push(messages.map(({ message }) => message));
    }
    console.log(JSON.stringify(answers));`;
  const cases = JSON.stringify([...FORBIDDEN, ...ALLOWED]);
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, cases]);
  messages = JSON.parse(stdout) as string[][];
}, 60_000);

describe('lint refuses, and says why', () => {
  test.each(FORBIDDEN)('%s', (title, _file, _source, why) => {
    expect(messages[FORBIDDEN.findIndex(([other]) => other === title)]).toContainEqual(expect.stringMatching(why));
  });
});

describe('lint allows', () => {
  test.each(ALLOWED)('%s', (title) => {
    const about = messages[FORBIDDEN.length + ALLOWED.findIndex(([other]) => other === title)];
    expect(about?.filter((message) => !message.includes('is not defined'))).toEqual([]);
  });
});
