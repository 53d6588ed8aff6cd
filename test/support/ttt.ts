import { runCommand } from '../../server/operator/program.js';
import { type Server, SHARED_SECRET } from './server.js';

export interface Said {
  readonly code: number;
  readonly said: string;
}

/** Runs the operator's command line on a server's database, in this process: starting one takes a second of processor time. */
export function ttt(
  { databaseUrl = '', dataDir }: Pick<Server, 'databaseUrl' | 'dataDir'>,
  ...words: string[]
): Promise<Said> {
  const settings: Record<string, string> = { DATA_DIR: dataDir };
  if (databaseUrl) Object.assign(settings, { DATABASE_URL: databaseUrl, AUTH_SECRET: SHARED_SECRET });
  return tttWith(settings, ...words);
}

/** The same with these settings alone. */
export async function tttWith(settings: Record<string, string>, ...words: string[]): Promise<Said> {
  let said = '';
  const write = (text: string) => void (said += text);
  const code = await runCommand(
    words,
    { PATH: process.env.PATH, TTT_OPERATOR: 'tests', ...settings },
    { write, complain: write, isInteractive: false },
  );
  return { code, said };
}
