import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '../base/errors.js';

/**
 * Locks the folder for this process until `release`. The lock is a listening local socket: the operating system closes it
 * when the process dies, so no stale lock file remains.
 * @throws {OperatorError} when another process uses the folder. Two processes on one folder would lose rows.
 */
export async function lockDataDir(dataDir: string): Promise<{ release: () => Promise<void> }> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const address = socketAddress(realpathSync(dataDir));
  const server = (await listen(address)) ?? ((await isLeftover(address)) ? await listen(address) : undefined);
  if (!server) {
    throw new OperatorError(
      `The data folder ${dataDir} is in use by another running server. Stop that one first, or set DATA_DIR to another folder` +
        ' (several servers on one database need PostgreSQL: set DATABASE_URL).',
    );
  }
  server.unref();
  return { release: () => new Promise((done) => server.close(() => done())) };
}

/** An abstract socket on Linux and a pipe on Windows, which end with the process; elsewhere a socket file. */
function socketAddress(folder: string): string {
  const name = `tic-tac-toe-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.sock`);
}

function listen(address: string): Promise<Server | undefined> {
  return new Promise((settle, fail) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') settle(undefined);
      else fail(error);
    });
    server.listen(address, () => settle(server));
  });
}

/** Removes the socket file of a killed process. Returns false when a process still listens on it. */
function isLeftover(address: string): Promise<boolean> {
  if (process.platform === 'linux' || process.platform === 'win32') return Promise.resolve(false);
  return new Promise((settle) => {
    const socket = connect(address, () => {
      socket.destroy();
      settle(false);
    });
    socket.once('error', () => {
      unlinkSync(address);
      settle(true);
    });
  });
}
