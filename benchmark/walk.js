/**
 * `npm run walk`: how far a warm request goes through our own code: the files and the executed lines of `finishGame`, of a
 * player's own stats and of the REST top ten. `-- --files` names each file, `--root FOLDER` walks another checkout that is built.
 *
 * The rule: the compiled server runs in this process under V8's precise coverage, which counts blocks, without the optimising
 * compilers, whose inlined calls it would miss. A line of `dist/server` or `dist/game` counts when one of its characters is in a
 * block that ran, a comment within a function too; a file counts when it has such a line. Packages do not count. Each request is
 * sent seven times, and the shortest walk is told: the longer ones have background work in them.
 */
import '../scripts/machine/node-version.js';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import pg from 'pg';
import { ensureBuilt } from '../scripts/build/ensure-built.js';
import { freePort } from '../scripts/machine/port.js';
import { startPostgres } from '../scripts/machine/postgres.js';
import { ROOT, run } from '../scripts/machine/run.js';
import { modulesOf, operation, SETTINGS } from './measure/product.js';
import { fill, somePlayers } from './measure/tables.js';

/** After so many requests, documents are known and pools are full. */
const WARM_UP = 50;
const SENT = 7;
/** For what a request does behind its answer, such as its line of the log, in milliseconds. */
const SETTLE_MS = 50;

const { values } = parseArgs({ options: { files: { type: 'boolean' }, root: { type: 'string' } } });
const root = resolve(values.root ?? ROOT);
// The server writes its log to the output of its process, so it has one of its own.
if (!process.send) {
  if (root === ROOT) await ensureBuilt({ parts: ['server'] });
  const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', (line) => console.log(line));
  const [code] = await once(child, 'exit');
  process.exit(code);
}
for (const flag of ['--no-opt', '--no-maglev', '--no-sparkplug']) setFlagsFromString(flag);

const postgres = await startPostgres();
try {
  await walk(postgres.url);
} finally {
  await postgres.stop();
}
// The server would go on.
process.exit();

async function walk(/** @type {string} */ url) {
  const env = { ...SETTINGS, DATABASE_URL: url, PORT: String(await freePort()), LOG_LEVEL: 'info' };
  await run(process.execPath, [join(root, 'dist/bundle/ttt.js'), 'migrate'], { env, quiet: true });
  const client = new pg.Client(url);
  await client.connect();
  await fill(client, 1_000);
  const players = await somePlayers(client, 200);
  await client.end();

  const coverage = new Session();
  coverage.connect();
  await coverage.post('Profiler.enable');
  await coverage.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const print = (/** @type {string} */ line) => process.send?.(line);
  Object.assign(process.env, env);
  await import(pathToFileURL(join(root, 'dist/server/app/main.js')).href);
  const modules = await modulesOf({ name: 'now', root });

  let at = 0;
  const next = () => /** @type {import('./measure/product.js').SignedIn} */ (players[at++ % players.length]);
  /** @type {Record<string, () => Promise<import('./measure/load.js').Request>>} */
  const requests = {
    async finishGame() {
      const player = next();
      const [{ token: ticket, squares }] = /** @type {[import('./measure/product.js').Unsent]} */ (
        modules.playGames([player])
      );
      return operation(modules, 'FinishGame', { ticket, squares }, await modules.accessToken(player));
    },
    'own stats': async () => operation(modules, 'MyStats', {}, await modules.accessToken(next())),
    'REST top ten': async () => ({ method: 'GET', path: '/api/leaderboard?limit=10' }),
  };
  const send = async (/** @type {import('./measure/load.js').Request} */ { path, ...init }) => {
    const answer = await fetch(`http://127.0.0.1:${env.PORT}${path}`, init);
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
    await pause(SETTLE_MS);
  };
  for (const [name, make] of Object.entries(requests)) {
    for (let sent = 0; sent < WARM_UP; sent++) await send(await make());
    const walks = [];
    for (let sent = 0; sent < SENT; sent++) {
      const request = await make();
      await coverage.post('Profiler.takePreciseCoverage');
      await send(request);
      walks.push(linesOf((await coverage.post('Profiler.takePreciseCoverage')).result));
    }
    const sum = (/** @type {Map<string, number>} */ files) =>
      [...files.values()].reduce((all, lines) => all + lines, 0);
    const shortest = /** @type {Map<string, number>} */ (walks.toSorted((one, other) => sum(one) - sum(other))[0]);
    print(`${name}: ${shortest.size} files, ${sum(shortest)} lines`);
    if (values.files) for (const [file, lines] of [...shortest].sort()) print(`  ${file} ${lines}`);
  }
}

/** @param {import('node:inspector').Profiler.ScriptCoverage[]} scripts @returns {Map<string, number>} the executed lines of each file */
function linesOf(scripts) {
  /** @type {Map<string, number>} */
  const lines = new Map();
  for (const { url, functions } of scripts) {
    const [, name] = /\/dist\/((?:server|game)\/.*)$/.exec(url) ?? [];
    if (!name || !url.startsWith(pathToFileURL(root).href)) continue;
    const text = readFileSync(fileURLToPath(url), 'utf8');
    const hasRun = new Uint8Array(text.length);
    // Inner blocks are smaller, and come last.
    const blocks = functions.flatMap(({ ranges }) => ranges);
    blocks.sort((one, other) => other.endOffset - other.startOffset - (one.endOffset - one.startOffset));
    for (const { startOffset, endOffset, count } of blocks) hasRun.fill(Number(count > 0), startOffset, endOffset);
    let offset = 0;
    let executed = 0;
    for (const line of text.split('\n')) {
      if ([...line].some((character, place) => hasRun[offset + place] && character.trim())) executed += 1;
      offset += line.length + 1;
    }
    if (executed > 0) lines.set(name, executed);
  }
  return lines;
}
