import { execFile } from 'node:child_process';
import type { Server } from './server.js';

/** Runs `ttt stats rebuild` on a server's database. */
export function rebuildStats({
  databaseUrl = '',
  dataDir,
}: Pick<Server, 'databaseUrl' | 'dataDir'>): Promise<{ code: number; said: string }> {
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  return new Promise((resolve) =>
    execFile(process.execPath, ['dist/bundle/ttt.js', 'stats', 'rebuild'], { env }, (error, said) =>
      resolve({ code: error ? Number(error.code) : 0, said }),
    ),
  );
}
