import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import importBoundaries from './scripts/check/import-boundaries.js';

const SETTINGS = [
  "MemberExpression:matches([object.name='process'], [object.property.name='process']):matches([property.name='env'], [computed=true]):not(CallExpression[callee.name=/^(readEnv|runCommand)$/] > *)",
  "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name='env']",
  "ImportDeclaration[source.value=/^(node:)?process$/] > :matches(ImportSpecifier[imported.name='env'], ImportDefaultSpecifier, ImportNamespaceSpecifier)",
].map((selector) => ({
  selector,
  message:
    'Only server/settings/env.ts reads settings, so that all are checked at the start and .env.example is complete.',
}));
const CLOCK = {
  selector:
    ":matches(CallExpression[callee.object.name='Date'][callee.property.name='now'], NewExpression[callee.name='Date'][arguments.length=0])",
  message: 'Ask the Clock of server/base/clock.ts for the time, so that a test can say what time it is.',
};
const COMPUTED_IMPORT = {
  selector: "ImportExpression[source.type!='Literal']",
  message: 'Write the path of an import as a literal, so that the import boundaries hold for it too.',
};
const STORAGE =
  'Its mere name throws where the browser blocks storage: use client/ui/stored.ts or client/data/tabs.ts.';
const LANGUAGE = 'Browsers name languages that Intl refuses: client/ui/time/formatTime.ts catches it.';
const CLOCK_AND_CHANCE = 'The same board, seed and moves must give the same game everywhere: pass it in instead.';
const IMPURE = ['performance', 'crypto', 'process', 'setTimeout', 'setInterval', 'fetch'].map((name) => ({
  name,
  message: CLOCK_AND_CHANCE,
}));

export default tseslint.config(
  { ignores: ['dist/', 'data/', 'coverage/', 'client/graphql/generated*'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.js'],
    ignores: ['client/**'],
    languageOptions: { globals: globals.node },
  },
  {
    // oxlint checks the rules that need types: see .oxlintrc.json.
    files: ['**/*.{ts,tsx,mts,cts}'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { experimentalDecorators: true, emitDecoratorMetadata: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' }],
    },
  },
  {
    files: ['client/**/*.{js,ts,tsx}'],
    languageOptions: { globals: globals.browser },
  },
  {
    // These rules are slow, and tests have few hooks.
    files: ['client/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', 'client/testing/**'],
    extends: [reactHooks.configs.flat.recommended],
  },

  {
    files: ['{benchmark,client,game,scripts,server}/**/*.{js,ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', 'client/testing/**'],
    rules: { 'max-lines': ['error', 300], 'max-lines-per-function': ['error', 60] },
  },

  // The architecture. Each message gives the reason.
  {
    files: ['game/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', { name: 'Date', message: CLOCK_AND_CHANCE }, ...IMPURE],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random', message: CLOCK_AND_CHANCE }],
    },
  },
  {
    files: ['game/**/*.ts', 'server/settings/env.ts', 'scripts/**/*.js', 'client/**/*.js', '*.{js,ts}'],
    // Imports the built server: its files exist only after a build.
    ignores: ['**/*.test.ts', 'scripts/build/ensure-built.js'],
    rules: { 'no-restricted-syntax': ['error', COMPUTED_IMPORT] },
  },
  {
    // They convert times that they are given.
    files: ['game/week.ts', 'game/dare.ts'],
    rules: {
      'no-restricted-globals': ['error', ...IMPURE],
      'no-restricted-syntax': ['error', { ...CLOCK, message: CLOCK_AND_CHANCE }, COMPUTED_IMPORT],
    },
  },
  {
    files: ['client/**/*.{ts,tsx}'],
    ignores: [
      ...['client/ui/stored.ts', 'client/data/tabs.ts', 'client/ui/time/formatTime.ts'],
      ...['**/*.test.{ts,tsx}', 'client/testing/**'],
    ],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['localStorage', 'sessionStorage', 'BroadcastChannel'].map((name) => ({ name, message: STORAGE })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'navigator', property: 'locks', message: STORAGE },
        { object: 'navigator', property: 'language', message: LANGUAGE },
      ],
    },
  },
  {
    files: ['server/**/*.ts', 'client/**/*.{ts,tsx}'],
    ignores: ['server/settings/env.ts', '**/*.test.{ts,tsx}', 'client/testing/**'],
    rules: { 'no-restricted-syntax': ['error', ...SETTINGS, COMPUTED_IMPORT] },
  },
  {
    files: ['server/**/*.ts'],
    ignores: ['server/settings/env.ts', 'server/base/clock.ts', '**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', ...SETTINGS, CLOCK, COMPUTED_IMPORT] },
  },
  ...importBoundaries,
);
