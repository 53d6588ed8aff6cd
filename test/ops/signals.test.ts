import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '../support/page.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** A browser test starts these programs beside Jest and its workers. */
const PROGRAMS = [/\bpostgres\b/, /dist\/bundle\/main\.js/, /chrom/i];

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Reads all processes from /proc, which only Linux has. */
function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const state = readFileSync(`/proc/${pid}/stat`, 'utf8');
        // State and parent follow the last bracket, as the name in brackets may hold anything.
        const [status, parent] = state.slice(state.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return status === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
      } catch {
        return [];
      }
    });
}

function descendantsOf(ancestor: number): Process[] {
  const all = processes();
  const found = all.filter(({ parent }) => parent === ancestor);
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

let script: ReturnType<typeof spawn> | undefined;
afterAll(() => void script?.kill('SIGTERM'));

// Other systems do not show their processes in /proc.
(process.platform === 'linux' ? test : test.skip)(
  'a signal to npm test ends its workers, servers, browsers and PostgreSQL',
  async () => {
    script = spawn(
      process.execPath,
      ['scripts/test.js', '--selectProjects', 'browser', 'test/browser/keyboard.test.ts'],
      {
        cwd: ROOT,
        env: { ...process.env, COUNTS: '', TEST_DATABASE_URL: '' },
        stdio: 'ignore',
      },
    );
    const ended = once(script, 'exit');
    let started: Process[] = [];
    await eventually(() => {
      started = descendantsOf(script!.pid!);
      return Promise.resolve(PROGRAMS.map((program) => started.some(({ command }) => program.test(command))));
    }, [true, true, true]);

    script.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
    const pids = new Set(started.map(({ pid }) => pid));
    await eventually(() => Promise.resolve(processes().filter(({ pid }) => pids.has(pid))), []);
  },
);
