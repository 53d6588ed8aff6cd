/** Keeps what each row measured last, and writes it into docs/performance.md. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { ROOT } from '../scripts/machine/run.js';

const RESULTS = join(ROOT, 'benchmark', 'results.json');
const PAGE = join(ROOT, 'docs', 'performance.md');
const BEGIN = '<!-- benchmark: begin -->';
const END = '<!-- benchmark: end -->';
const PEERS = ['fastify', '@fastify/jwt', 'postgraphile', 'pg', 'autocannon'];

/**
 * @typedef {keyof typeof TABLES} Table
 * @typedef {{ table: string, cells: string[] }} Line
 * @typedef {{ name: string, settings?: Record<string, string>, measure: (bench: import('./bench.js').Bench) => Promise<Line[]> }} Row   `settings` of PostgreSQL
 * @typedef {Record<string, { conditions: string, lines: Line[] }>} Results   by the name of the row
 */

const TABLES = {
  requests: {
    title: 'Beside bare servers',
    columns: [
      'work',
      'ratio',
      'spread',
      'goal',
      'ours',
      'CPU of a request',
      'p50, p99',
      'the other',
      'CPU of a request',
      'p50, p99',
    ],
  },
  lone: {
    title: 'A lone game',
    columns: ['p50, p99 through the server', 'goal', 'time in PostgreSQL', 'goal', 'p50, p99 of the other revision'],
  },
  'same-score': {
    title: 'Players with the same score',
    columns: ['work', 'ratio', 'goal', 'from 0 to 1', 'scores of their own'],
  },
  growth: {
    title: 'Growth',
    columns: ['request', 'players', 'ratio of p50', 'goal', 'few: p50, p99', 'many: p50, p99'],
  },
  standing: {
    title: 'Statements of the leaderboard',
    columns: [
      'players',
      'standing of the first',
      'of the last exact place',
      'in the middle',
      'by counting players',
      'top ten',
    ],
  },
  watchers: {
    title: 'Watchers of the leaderboard, one change a second',
    columns: ['watchers', 'CPU of one core', 'memory of a socket', 'the last sees it after the first', 'at most'],
  },
  start: {
    title: 'Start',
    columns: ['server', 'time to ready', 'memory a second later', 'highest'],
  },
};

/** When, how and on what a run measures, in one sentence. */
export function conditionsOf(/** @type {'quick' | 'full'} */ mode, /** @type {string} */ postgresVersion) {
  const cores = cpus();
  const load = loadavg()[0] ?? 0;
  const busy = load > cores.length / 2 ? ': a busy machine' : '';
  const versions = PEERS.map((name) => {
    const file = join(ROOT, 'benchmark', 'node_modules', name, 'package.json');
    return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`;
  });
  return [
    `${new Date().toISOString().slice(0, 10)}, ${mode} run`,
    `${cores.length} cores of ${cores[0]?.model.trim() || process.arch}, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${release()}`,
    `load average ${load.toFixed(1)} before the run${busy}`,
    `commit ${commit()}`,
    `Node.js ${process.versions.node}, PostgreSQL ${postgresVersion}, ${versions.join(', ')}`,
  ].join('; ');
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

/**
 * @param {string[]} order   all rows, as they stand in the tables
 * @param {string} measured   the row that has new figures
 * @param {Results[string]} figures
 */
export async function writeResults(order, measured, figures) {
  /** @type {Results} */
  const before = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
  /** @type {Results} */
  const all = {};
  for (const name of order) {
    const result = name === measured ? figures : before[name];
    if (result) all[name] = result;
  }
  writeFileSync(RESULTS, await format(JSON.stringify(all), { parser: 'json', printWidth: 120 }));
  const page = readFileSync(PAGE, 'utf8');
  const head = page.slice(0, page.indexOf(BEGIN) + BEGIN.length);
  const tail = page.slice(page.indexOf(END));
  writeFileSync(PAGE, await format(`${head}\n\n${render(all)}\n\n${tail}`, { parser: 'markdown', printWidth: 120 }));
}

function render(/** @type {Results} */ results) {
  const runs = [...new Set(Object.values(results).map(({ conditions }) => conditions))];
  const parts = Object.entries(TABLES).flatMap(([name, { title, columns }]) => {
    const lines = Object.values(results).flatMap(({ conditions, lines }) =>
      // A line from before a table got its columns stays away until its row is measured again.
      lines
        .filter(({ table, cells }) => table === name && cells.length === columns.length)
        .map(({ cells }) => [...cells, String(runs.indexOf(conditions) + 1)]),
    );
    if (lines.length === 0) return [];
    const header = [...columns, 'run'];
    return [
      `### ${title}`,
      [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    ];
  });
  return [...parts, '### Runs', runs.map((run, at) => `${at + 1}. ${run}`).join('\n')].join('\n\n');
}

/** @param {Line[]} lines */
export function print(lines) {
  for (const { cells } of lines) console.log(`  ${cells.filter(Boolean).join('   ')}`);
}
