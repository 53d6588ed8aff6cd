import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import type { ArchivedGame } from './add-to-archive.js';
import { OperationError } from '../command-error.js';

/** What a file has, as the archive has written it. */
export interface FileSums {
  readonly games: number;
  readonly bytes: number;
  /** Of the compressed bytes. */
  readonly sha256: string;
}

/** The types of tmpfs and ramfs: https://man7.org/linux/man-pages/man2/statfs.2.html */
const IN_MEMORY: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);

/**
 * The games leave the database, so their files must outlive the machine's next start. A missing folder is not made: it
 * may be the place of a disk that is not mounted.
 */
export function requireDisk(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new OperationError(`There is no folder ${folder}. Mount its disk, or make it first.`);
  }
  if (IN_MEMORY.has(statfsSync(folder).type)) {
    throw new OperationError(`The folder ${folder} is in memory, where files do not last. Take one on a disk.`);
  }
}

/** Writes games as lines of JSON, compressed with gzip. Nobody finds the file under its name before all of it is on the disk. */
export class ArchiveWriter {
  private readonly part: string;
  private readonly handle: number;
  private readonly hash = createHash('sha256');
  private games = 0;
  private bytes = 0;

  /** @param attempt tells the parts of commands that run at the same time apart */
  constructor(
    private readonly folder: string,
    private readonly name: string,
    attempt: string,
  ) {
    const parts = `.${name}-`;
    const left = readdirSync(folder).filter((file) => file.startsWith(parts) && file.endsWith('.part'));
    // Of commands that have crashed, or of one that still runs: `finish` then refuses there.
    for (const file of left) rmSync(join(folder, file), { force: true });
    this.part = join(folder, `${parts}${attempt}.part`);
    this.handle = openSync(this.part, 'wx', 0o600);
  }

  /** A sequence of gzip members is a gzip file. */
  write(games: readonly ArchivedGame[]): void {
    const member = gzipSync(games.map((game) => `${JSON.stringify(game)}\n`).join(''));
    writeFileSync(this.handle, member);
    this.hash.update(member);
    this.games += games.length;
    this.bytes += member.length;
  }

  /** The name has the beginning of the checksum, so no two contents share a name. @returns the name and the sums */
  async finish(): Promise<FileSums & { readonly file: string }> {
    // A file without games needs one member too.
    if (this.games === 0) this.write([]);
    fsyncSync(this.handle);
    closeSync(this.handle);
    const sums = { games: this.games, bytes: this.bytes, sha256: this.hash.digest('hex') };
    if (!existsSync(this.part)) throw new OperationError('Another command archives this month. This one ends.');
    await verifyArchive(this.part, sums);
    const file = `${this.name}-${sums.sha256.slice(0, 8)}.ndjson.gz`;
    renameSync(this.part, join(this.folder, file));
    syncFolder(this.folder);
    return { ...sums, file };
  }
}

/** Describes the file beside it, for people and for other programs. */
export function writeManifest(file: string, manifest: object): void {
  const part = `${file}.part`;
  // One of a command that has crashed, or a link to another file.
  rmSync(part, { force: true });
  writeFileSync(part, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(part, file.replace(/\.ndjson\.gz$/, '.json'));
  syncFolder(dirname(file));
}

/** The games of an archive, in pages. */
export async function* gamesOf(file: FileHandle, pageSize: number): AsyncGenerator<ArchivedGame[]> {
  let page: ArchivedGame[] = [];
  for await (const line of linesOf(file)) {
    page.push(JSON.parse(line) as ArchivedGame);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

export async function sha256Of(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of read(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** Reads the file back before its games leave the database. */
async function verifyArchive(file: string, { games, sha256 }: FileSums): Promise<void> {
  const handle = await open(file);
  try {
    let lines = 0;
    for await (const line of linesOf(handle)) lines += Number(line.length > 0);
    if (lines === games && (await sha256Of(handle)) === sha256) return;
  } finally {
    await handle.close();
  }
  throw new OperationError(`${file} is damaged: it cannot be read back as it was written. Check the disk.`);
}

/** The whole file, also a second time. */
const read = (file: FileHandle) => file.createReadStream({ start: 0, autoClose: false });

async function* linesOf(file: FileHandle): AsyncGenerator<string> {
  // The error of a stream ends the loop.
  const text = pipeline(read(file), createGunzip(), () => undefined).setEncoding('utf8');
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}

/** A rename is on the disk when its folder is. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
