import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '../support/page.js';
import { freePort, realPostgres } from '../support/postgres.js';

let dataDir: string;
let port: number;
let started: { child: ChildProcess; end: Promise<unknown> }[];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tic-tac-toe-start-'));
  port = await freePort();
  started = [];
});

afterEach(async () => {
  for (const { child, end } of started) {
    child.kill('SIGTERM');
    await end;
  }
  rmSync(dataDir, { recursive: true });
});

/** Runs `npm start`, on the embedded database unless another one is named. */
function start([program, ...args]: string[], DATABASE_URL = '') {
  const env = { ...process.env, NODE_OPTIONS: '', NODE_ENV: '', PORT: String(port), DATA_DIR: dataDir, DATABASE_URL };
  const child = spawn(program!, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  // Not `exit`, which can come before the last of its output.
  const end = once(child, 'close').then(([code, signal]: (number | string | null)[]) => ({ code, signal, said }));
  started.push({ child, end });
  return {
    child,
    end,
    /** A failure shows all that it has said. */
    says: (words: string) =>
      eventually(() => {
        const isOver = child.exitCode !== null || child.signalCode !== null;
        if (isOver && !said.includes(words)) throw new Error(`It ended before it said "${words}":\n${said}`);
        return Promise.resolve(said.includes(words) ? words : said);
      }, words),
  };
}

const page = () => fetch(`http://127.0.0.1:${port}/`);

/** A start on another Node or another system than those of this machine. */
const elsewhere = (node: string, platform: string) =>
  `data:text/javascript,for (const [name, value] of Object.entries({ versions: { node: '${node}' }, version: 'v${node}', ` +
  `platform: '${platform}' })) Object.defineProperty(process, name, { value });`;

/** On Linux, npm installs the pinned Node, with which a start on an older one goes on. */
const hasPinned = process.platform === 'linux' && existsSync('node_modules/.bin/node');

test('says in four lines how to play, once the game is ready, also on an older Node of Linux, and SIGINT ends it with 0', async () => {
  const older = hasPinned ? ['--import', elsewhere('20.12.0', 'linux')] : [];
  const { child, says, end } = start([process.execPath, ...older, 'scripts/start.js']);

  await says(`Play at   http://localhost:${port}\n`);
  expect((await page()).status).toBe(200);
  child.kill('SIGINT');

  const { code, said } = await end;
  expect(code).toBe(0);
  // Nothing is installed or built, and no log stands around the four lines.
  expect(said).toMatch(/^Play at +.*\nDatabase +embedded .*\nSign in +with any name.*\nEnd +Ctrl-C\n$/);
  await expect(page()).rejects.toThrow();
});

test('stops the server when its parent is killed, as a SIGTERM to npm does', async () => {
  const { url } = await realPostgres().createDatabase();
  const { child, says, end } = start(['sh', '-c', `"${process.execPath}" scripts/start.js; true`], url);
  await says(`Database  PostgreSQL at ${new URL(url).host}`);

  child.kill('SIGKILL');

  // The pipe of its output closes when the last of its children has ended.
  await end;
  await expect(page()).rejects.toThrow();
});

test('names the taken port and how to choose another, before it installs and builds anything', async () => {
  for (const path of ['scripts', 'package.json']) cpSync(path, join(dataDir, path), { recursive: true });
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  try {
    const { code, said } = await start([process.execPath, join(dataDir, 'scripts/start.js')]).end;

    expect(said).toMatch(new RegExp(`^Port ${port} is taken by another program.* PORT=${port + 1} before .*\n$`));
    expect(code).toBe(1);
  } finally {
    other.close();
  }
});

test.each([
  ['18.20.8', 'linux'],
  ['20.20.2', 'darwin'],
  ['22.18.0', 'win32'],
])('Node %s on %s ends with one sentence', async (node, platform) => {
  const { code, said } = await start([process.execPath, '--import', elsewhere(node, platform), 'scripts/start.js']).end;

  expect([code, said]).toEqual([
    1,
    `This needs Node.js 22.21, 24.11 or newer, and this is v${node}: https://nodejs.org\n`,
  ]);
});
