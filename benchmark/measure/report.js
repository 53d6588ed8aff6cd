/** Keeps what each row measured last, and writes it into docs/performance.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { ROOT } from '../../scripts/machine/run.js';
import { git } from '../../scripts/release/git.js';

const RESULTS = join(ROOT, 'benchmark', 'results.json');
const PAGE = join(ROOT, 'docs', 'performance.md');
const BEGIN = '<!-- benchmark: begin -->';
const END = '<!-- benchmark: end -->';

/**
 * @typedef {{ table: string, cells: string[] }} Line
 * @typedef {{ name: string, settings?: Record<string, string>, measure: (bench: import('./bench.js').Bench) => Promise<Line[]> }} Row   `settings` of PostgreSQL
 * @typedef {Record<string, { conditions: string, lines: Line[] }>} Results   by the name of the row
 */

/** What the page shows: the first columns of each line. */
const TABLES = {
  requests: { title: 'Requests', columns: ['work', 'ratio', 'spread', 'goal', 'ours', 'CPU'] },
  process: { title: 'Starts and watchers', columns: ['what', 'time', 'memory', 'highest memory, or CPU'] },
};

/** When, how and on what a run measures, in one sentence. */
export function conditionsOf(/** @type {'quick' | 'full'} */ mode, /** @type {string} */ postgresVersion) {
  const cores = cpus();
  const load = loadavg()[0] ?? 0;
  return [
    `${new Date().toISOString().slice(0, 10)}, ${mode} run`,
    `${cores.length} cores of ${cores[0]?.model.trim() || process.arch}, ${Math.round(totalmem() / 2 ** 30)} GB`,
    `load ${load.toFixed(1)} before`,
    `commit ${git('rev-parse', '--short', 'HEAD')}`,
    `Node.js ${process.versions.node}, PostgreSQL ${postgresVersion}`,
  ].join('; ');
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
      lines
        .filter(({ table }) => table === name)
        .map(({ cells }) => [...cells.slice(0, columns.length), String(runs.indexOf(conditions) + 1)]),
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
