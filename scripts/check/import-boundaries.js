/**
 * The import boundaries of the architecture. `FOLDERS` lists what each folder may import: anything else is an error, and
 * so is a folder that the table does not list. `ROLES` restricts the files of a folder by their role, and the packages
 * that they may import. Each entry gives the reason that lint shows.
 */
import { fileURLToPath } from 'node:url';
import boundaries from 'eslint-plugin-boundaries';
import { ROOT } from '../machine/run.js';
import { FOLDERS } from './folders.js';
import { ROLE_FILES, ROLES } from './roles.js';

/** @typedef {import('eslint').Linter.Config} Config */

/** @type {(categories: string[], not?: string[]) => object} */
const files = (categories, not) => ({
  file: { categories: { anyOf: categories, ...(not?.length && { noneOf: not }) } },
});

const ROLE_POLICIES = [
  { from: files(['role:test']), allow: { to: files(['role:test']) } },
  {
    from: files(['**'], ['role:test']),
    disallow: { to: files(['role:test']) },
    message: 'Production code does not import tests.',
  },
  ...ROLES.flatMap(({ from, unless = [], not, except, packages, node, kind, because }) => {
    const source = files([from], [...unless, 'role:test']);
    const dependency = kind && { dependency: { kind } };
    return [
      ...(not ? [{ from: source, disallow: { to: files(not, except), ...dependency }, message: because }] : []),
      ...(packages ? [{ from: source, disallow: { to: { module: { source: packages } } }, message: because }] : []),
      ...(node ? [{ from: source, disallow: { to: { module: { origin: 'core' } } }, message: because }] : []),
    ];
  }),
];

/** @type {(allowed: object[], because: string) => Config['rules']} */
const allowOnly = (allowed, because) => ({
  'boundaries/dependencies': [
    'error',
    {
      default: 'disallow',
      checkAllOrigins: true,
      checkUnknownLocals: true,
      checkInternals: true,
      message: because,
      policies: [
        { allow: { to: { module: { origin: ['core', 'external'] } } } },
        ...allowed.map((to) => ({ allow: { to } })),
        ...ROLE_POLICIES,
      ],
    },
  ],
});

// The plugin's types wrap the module in `default`, which Node has already unwrapped.
const plugin = /** @type {import('eslint').ESLint.Plugin} */ (/** @type {unknown} */ (boundaries));

const SOURCE = '**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}';
const VAGUE_FOLDERS = '**/{util,utils,common,helper,helpers,misc,lib}/**';

/** @type {Config[]} */
export default [
  {
    files: [SOURCE],
    plugins: { boundaries: plugin },
    settings: {
      'import/resolver': { [fileURLToPath(import.meta.resolve('./import-resolver.js'))]: {} },
      'boundaries/root-path': ROOT,
      'boundaries/files': [
        ...Object.entries(FOLDERS).map(([category, { files: pattern }]) => ({ category, pattern })),
        ...Object.entries(ROLE_FILES).map(([category, pattern]) => ({ category, pattern })),
      ],
      'boundaries/dependency-nodes': ['import', 'dynamic-import', 'export', 'require'],
      'boundaries/additional-dependency-nodes': [
        { selector: 'TSImportType Literal', kind: 'type', name: 'import-type' },
        { selector: 'TSExternalModuleReference > Literal', kind: 'value', name: 'import-equals' },
      ],
      'boundaries/legacy-warnings': false,
    },
    rules: allowOnly([], 'FOLDERS in scripts/check/folders.js lists neither this import nor its folder.'),
  },
  // One block for each folder, because the rule compares each import with all its policies. The last block of a file counts.
  ...Object.entries(FOLDERS).map(([name, { files: pattern, imports, because }]) => ({
    // A nested list means that a file matches both.
    files: [pattern].flat().map((folder) => [folder, SOURCE]),
    rules: allowOnly([files([name, ...imports])], because),
  })),
  {
    files: [SOURCE],
    ignores: Object.values(FOLDERS).flatMap(({ files }) => files),
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Program',
          message: 'FOLDERS in scripts/check/folders.js does not list this folder: say there what it may import.',
        },
      ],
    },
  },
  {
    files: [VAGUE_FOLDERS],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Program',
          message: 'A folder is named by what it holds: everything fits into utils, common or helpers.',
        },
      ],
    },
  },
];
