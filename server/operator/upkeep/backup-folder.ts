import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Clock } from '../../base/clock.js';
import { OperationError } from '../command-error.js';

/** In the order of names, backups are in the order of time. Other files of the folder are not ours. */
const BACKUP = /^tictactoe-\d{4}-\d\d-\d\dT\d{6}Z\.dump$/;
/** Of a command that runs, and writes to it all the time, or of one that was killed. */
const PART = /^tictactoe-\d{4}-\d\d-\d\dT\d{6}Z\.dump\.\w{8}\.part$/;
const KILLED_AFTER_MS = 12 * 60 * 60_000;

/** A file such as `tictactoe-2027-01-31T040000Z.dump`. A second command of the same second takes the next one. */
export function newFileIn(folder: string, at = new Clock().ofMachine()): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(':', '');
  const file = join(folder, `tictactoe-${time}Z.dump`);
  return existsSync(file) ? newFileIn(folder, at + 1_000) : file;
}

export function newestFileIn(folder: string): string {
  const newest = filesIn(folder, BACKUP).at(-1);
  if (newest) return newest;
  throw new OperationError(`There is no backup in ${folder}. Make one: ttt backup --folder ${folder}`);
}

/**
 * Removes the oldest backups, and the parts of killed commands.
 * @param created stays, even if a wrong clock has given others a later name
 */
export function removeOld(folder: string, created: string, keep: number): string[] {
  const others = filesIn(folder, BACKUP).filter((file) => file !== created);
  const killed = new Clock().ofMachine() - KILLED_AFTER_MS;
  const isOfKilled = (part: string) => (statSync(part, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < killed;
  const old = [...others.slice(0, Math.max(0, others.length + 1 - keep)), ...filesIn(folder, PART).filter(isOfKilled)];
  for (const file of old) rmSync(file, { force: true });
  return old;
}

/** A missing folder is not made: it may be the place of a disk that is not mounted. */
export function requireFolder(folder: string): void {
  if (existsSync(`${folder}/`)) return;
  throw new OperationError(`There is no folder ${folder}. Mount its disk, or make it first.`);
}

function filesIn(folder: string, pattern: RegExp): string[] {
  requireFolder(folder);
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.flatMap(({ name }) => (pattern.test(name) ? [join(folder, name)] : [])).sort();
}
