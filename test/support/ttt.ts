import { execFile } from 'node:child_process';
import { addressForServers } from './postgres.js';
import { type Server, SHARED_SECRET } from './server.js';

export interface Said {
  readonly code: number;
  readonly said: string;
}

/** Runs the operator's command line on a server's database. */
export function ttt(
  { databaseUrl = '', dataDir }: Pick<Server, 'databaseUrl' | 'dataDir'>,
  ...words: string[]
): Promise<Said> {
  const env = { DATABASE_URL: databaseUrl && addressForServers(databaseUrl), DATA_DIR: dataDir };
  return tttWith(databaseUrl ? { ...env, AUTH_SECRET: SHARED_SECRET } : env, ...words);
}

/** The same with these settings alone. */
export function tttWith(env: Record<string, string>, ...words: string[]): Promise<Said> {
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      ['dist/server/ttt.js', ...words],
      { env: { PATH: process.env.PATH, ...env }, maxBuffer: 10_000_000 },
      (error, said, complained) => resolve({ code: error ? Number(error.code) : 0, said: said + complained }),
    ),
  );
}
