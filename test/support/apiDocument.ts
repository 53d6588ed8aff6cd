import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { aMadePlayer } from './made.js';
import type { Server } from './server.js';
import { personalTokenOf } from './visitor.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The text of docs/api.md. */
export const text = read('docs/api.md');

/** What stands behind the three backticks of each block: a language, and a name where it has one. */
export const blocks = [...text.matchAll(/^```(\w.*)$/gm)].map(([, info]) => info!);

/** The one block with this language and name. */
export function blockOf(info: string): string {
  const [block, ...others] = [...text.matchAll(new RegExp(`^\`\`\`${info}\n(.*?)^\`\`\`$`, 'gms'))];
  if (!block || others.length > 0) throw new Error(`docs/api.md must have one block of ${info}`);
  return block[1]!;
}

const ALL_SCOPES = 'account_read, games_read, games_write, stats_read';

/** A player with a personal token. */
export async function aPlayerWithToken(server: Server, { name = 'Ada', scopes = ALL_SCOPES } = {}) {
  const player = await aMadePlayer(server, { name });
  return { player, token: await personalTokenOf(player, scopes) };
}

const PROGRAMS: Readonly<Record<string, [program: string, ...options: string[]]>> = {
  sh: ['sh', '-euc'],
  js: [process.execPath, '--input-type=module', '--eval'],
};

/** What an example needs: the server, and a token where it has one. */
export const environmentOf = (server: Pick<Server, 'origin'>, token = '') => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  SERVER: server.origin,
  TOKEN: token,
});

/** Starts a block as it stands. */
export function start(info: string, env: NodeJS.ProcessEnv) {
  const [program, ...options] = PROGRAMS[info.split(' ')[0]!]!;
  return promisify(execFile)(program, [...options, blockOf(info)], { env });
}

/** @returns what the block prints */
export async function run(info: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout, stderr } = await start(info, env);
  if (stderr) throw new Error(stderr);
  return stdout;
}
