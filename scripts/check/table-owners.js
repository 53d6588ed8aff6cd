/**
 * A table has one owner: only the owner's folder names it in SQL or imports its entity. All other folders call the owner, so
 * that a change of a table has one place. `ALLOWED` lists the exceptions with their reasons. A step of `npm run check`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../machine/run.js';

/**
 * @typedef {{ path: string, text: string }} Source its path from the root, with slashes
 * @typedef {{ from: string, tables: string[], because: string }} Exception `from` is a file, or a folder with a slash at its end
 * @typedef {{ path: string, line: number, table: string, how: string }} Use
 */

/** The folders with the tables that they own. @type {Record<string, string[]>} */
export const OWNERS = {
  'server/auth/players/': ['players', 'identities', 'merged_players', 'bans', 'left_identities'],
  'server/auth/sessions/': ['sessions'],
  'server/auth/sign-in/': ['sign_in_codes', 'sign_in_tries'],
  'server/counting/': [
    'games',
    'player_stats',
    'player_weeks',
    'archived_stats',
    'archived_weeks',
    'voided_games',
    'archives',
  ],
  'server/challenge/': ['challenge_days', 'challenge_attempts', 'challenge_identities'],
  'server/moderation/': ['audit'],
};

/** @type {Exception[]} */
const ALLOWED = [
  {
    from: 'server/auth/auth.module.ts',
    tables: ['sessions', 'sign_in_codes'],
    because: 'The module registers the entities of its folders.',
  },
  {
    from: 'server/auth/sessions/sessions.service.ts',
    tables: ['players'],
    because: 'The exchange of a refresh token is a hot path: one statement answers with the player.',
  },
  {
    from: 'server/auth/sign-in/',
    tables: ['sessions'],
    because:
      'The exchange of a code begins the session in the same transaction, and the cleanup removes expired rows of both.',
  },
  {
    from: 'server/database/distributed.ts',
    tables: ['players'],
    because: 'The table tells whether the database is distributed. database/ stands below its owner.',
  },
  {
    from: 'server/counting/facts.ts',
    tables: ['players', 'sessions'],
    because: 'Counting a game is a hot path: one statement reads all facts, with the session.',
  },
  {
    from: 'server/counting/count-games.ts',
    tables: ['players'],
    because:
      "The statement that writes a game names the player's row, so that Citus finds the one shard of all its parts.",
  },
  {
    from: 'server/stats/',
    tables: ['player_stats', 'sessions'],
    because: 'The stats of a session are a hot path: one statement checks the session and reads the sums.',
  },
  {
    from: 'server/games/',
    tables: ['archived_stats', 'archived_weeks', 'archives', 'games', 'player_stats'],
    because: "games/ shows a player's games and sums: it reads them in pages of plain rows, and changes none.",
  },
  {
    from: 'server/leaderboard/',
    tables: ['player_stats', 'player_weeks', 'players'],
    because: 'One statement orders, names and counts the players. The top ten is a hot path.',
  },
  {
    from: 'server/challenge/attempt-store.ts',
    tables: ['player_stats'],
    because: 'One statement counts the players with the badge, without those whom an operator has hidden.',
  },
  {
    from: 'server/challenge/challenge-ranking.service.ts',
    tables: ['player_stats', 'players'],
    because: 'One statement orders and names the players of a day, without those whom an operator has hidden.',
  },
  {
    from: 'server/account/account-exports.service.ts',
    tables: ['player_stats', 'player_weeks', 'sessions', 'sign_in_codes', 'voided_games'],
    because: 'The export reads all that is stored about a player, in one transaction.',
  },
  {
    from: 'server/account/identity-linker.service.ts',
    tables: ['player_stats'],
    because: 'The preview of a link shows the sums of the other account; the answer to a link has the sums of both.',
  },
  {
    from: 'server/operator/archive/',
    tables: ['archived_stats', 'archived_weeks', 'archives', 'games', 'merged_players', 'players'],
    because: 'The archive takes whole months of games out of the database and back.',
  },
  {
    from: 'server/operator/commands/entities.ts',
    tables: [
      'archived_stats',
      'archived_weeks',
      'challenge_attempts',
      'challenge_days',
      'games',
      'player_stats',
      'player_weeks',
      'sessions',
      'sign_in_codes',
    ],
    because: 'A connection without Nest registers all entities.',
  },
  {
    from: 'server/moderation/',
    tables: ['games', 'player_stats', 'players'],
    because: 'A report about a player joins the player with games and sums; a decision locks the player first.',
  },
  {
    from: 'server/operator/upkeep/',
    tables: ['archives', 'games', 'players'],
    because: 'The checks, the copy and the restore look at the database as a whole.',
  },
];

const TABLES = new Map(Object.entries(OWNERS).flatMap(([owner, tables]) => tables.map((table) => [table, owner])));

const NAME = '(?:public\\.)?"?[a-z_]+"?';
const WITH_ALIAS = `${NAME}(?:\\s+(?:AS\\s+)?[a-z]\\w*)?`;
/** SQL is in capitals here, so a sentence in plain English has no keyword. */
const CLAUSE = new RegExp(
  `\\b(?:FROM|JOIN|INTO|UPDATE|TABLE|USING|TRUNCATE|ONLY|EXISTS)\\s+(${WITH_ALIAS}(?:\\s*,\\s*${WITH_ALIAS})*)`,
  'g',
);
const REGCLASS = /to_regclass\(\s*'(?:public\.)?([a-z_]+)|'(?:public\.)?([a-z_]+)'::regclass/g;
/** A name that a statement gets from a list or an option. A word without an underscore may mean something else. */
const QUOTED = /(['"`])([a-z]+_[a-z_]+)\1/g;
/** Where a statement has a name from elsewhere, such a word is taken for a table too. */
const FROM_ELSEWHERE = /\b(?:FROM|JOIN|INTO|UPDATE|TABLE|TRUNCATE)\s+\$\{/;
const QUOTED_WORD = /(['"`])([a-z_]+)\1/g;
const ENTITY_IMPORT = /(?:\bfrom\s+|\bimport\(\s*)'(\.[^']*\.entity)\.js'/g;
const ENTITY_TABLE = /@Entity\('([a-z_]+)'/g;

/** Comments may name every table. Lines keep their numbers. */
function withoutComments(/** @type {string} */ text) {
  const blank = (/** @type {string} */ comment) => comment.replace(/[^\n]/g, ' ');
  return text.replace(/\/\*[^]*?\*\//g, blank).replace(/(?<=^|\s)\/\/.*$/gm, blank);
}

/** @returns {{ table: string, index: number, how: string }[]} */
function namesIn(/** @type {string} */ text) {
  const clauses = [...text.matchAll(CLAUSE)].flatMap(({ 1: list = '', index }) =>
    list.split(',').map((part) => ({ table: /** @type {string} */ (part.trim().split(/\s/)[0]), index })),
  );
  const classes = [...text.matchAll(REGCLASS)].map(({ 1: one, 2: other, index }) => ({
    table: /** @type {string} */ (one ?? other),
    index,
  }));
  const quoted = [...text.matchAll(FROM_ELSEWHERE.test(text) ? QUOTED_WORD : QUOTED)].map(
    ({ 2: table = '', index }) => ({ table, index }),
  );
  return [...clauses, ...classes, ...quoted].map(({ table, index }) => ({
    table: table.replace(/^public\./, '').replaceAll('"', ''),
    index,
    how: 'names the table',
  }));
}

/** @returns {Use[]} where the source uses a table that belongs to one of the owners */
function usesIn(/** @type {Source} */ { path, text }, /** @type {Map<string, string[]>} */ entities) {
  const code = withoutComments(text);
  const imports = [...code.matchAll(ENTITY_IMPORT)].flatMap(({ 1: file = '', index }) => {
    const tables = entities.get(posix.join(dirname(path), `${file}.ts`)) ?? [];
    return tables.map((table) => ({ table, index, how: 'imports the entity of' }));
  });
  const lineOf = (/** @type {number} */ index) => code.slice(0, index).split('\n').length;
  return [...namesIn(code), ...imports]
    .filter(({ table }) => TABLES.has(table))
    .map(({ table, index, how }) => ({ path, table, how, line: lineOf(index) }));
}

/**
 * @param {Source[]} sources
 * @param {Exception[]} allowed
 * @returns {string[]} one sentence for each table that is not used by its owner alone
 */
export function problemsOf(sources, allowed = ALLOWED) {
  const entities = new Map(
    sources.map(({ path, text }) => [path, [...text.matchAll(ENTITY_TABLE)].map(({ 1: table = '' }) => table)]),
  );
  const uses = sources.flatMap((source) => usesIn(source, entities));
  const foreign = uses.filter(({ path, table }) => !path.startsWith(/** @type {string} */ (TABLES.get(table))));
  const covers = (/** @type {Exception} */ { from, tables }, /** @type {Use} */ { path, table }) =>
    tables.includes(table) && (from.endsWith('/') ? path.startsWith(from) : path === from);
  // Two patterns may find the same name.
  const problems = new Set([
    ...foreign
      .filter((use) => !allowed.some((exception) => covers(exception, use)))
      .map(({ path, line, table, how }) => {
        const owner = /** @type {string} */ (TABLES.get(table));
        return `${path}:${line} ${how} ${table}, which belongs to ${owner}: call a function there.`;
      }),
    ...allowed.flatMap((exception) =>
      exception.tables
        .filter((table) => !foreign.some((use) => use.table === table && covers(exception, use)))
        .map((table) => `${exception.from} does not use ${table} any more: remove it from ALLOWED.`),
    ),
    ...[...TABLES.keys()]
      .filter((name) => !uses.some(({ table }) => table === name))
      .map((name) => `Nobody uses ${name} any more: remove it from OWNERS.`),
  ]);
  return [...problems];
}

/** @returns {Source[]} the server without its tests, and without the folder that creates the tables */
export function serverSources() {
  return readdirSync(join(ROOT, 'server'), { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join('server', path.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('server/schema/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = problemsOf(serverSources());
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
