import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const AUTHOR = { name: 'A maintainer', email: 'maintainer@example.org' };
/** No configuration of this machine, such as a key that signs every tag. */
const ENV = {
  ...process.env,
  NODE_OPTIONS: '',
  COUNTS: '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: AUTHOR.name,
  GIT_AUTHOR_EMAIL: AUTHOR.email,
  GIT_COMMITTER_NAME: AUTHOR.name,
  GIT_COMMITTER_EMAIL: AUTHOR.email,
};

interface Said {
  readonly code: number;
  readonly said: string;
}

/** A repository with the files of this one in its only commit, on the branch main, with the same packages and the same build. */
export class Clone {
  private constructor(readonly folder: string) {}

  static make(): Clone {
    const clone = new Clone(mkdtempSync(join(tmpdir(), 'tic-tac-toe-clone-')));
    const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const files = execFileSync('git', words, { encoding: 'utf8' }).split('\0');
    for (const file of files.filter((name) => name && existsSync(name))) {
      mkdirSync(dirname(clone.path(file)), { recursive: true });
      cpSync(file, clone.path(file));
    }
    // By hard links, which take no space. A build would write through those.
    execFileSync('cp', ['-al', join(process.cwd(), 'node_modules'), clone.path('node_modules')]);
    execFileSync('cp', ['-a', join(process.cwd(), 'dist'), clone.path('dist')]);
    clone.git('init', '--quiet', '--initial-branch=main');
    clone.commit('the files of this repository');
    return clone;
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  read(file: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  write(file: string, text: string): void {
    writeFileSync(this.path(file), text);
  }

  /** @throws when the file does not have the text */
  replace(file: string, from: string | RegExp, to: string): void {
    const before = this.read(file);
    const after = before.replace(from, to);
    if (after === before) throw new Error(`${file} does not have ${String(from)}`);
    this.write(file, after);
  }

  git(...words: string[]): string {
    return execFileSync('git', words, { cwd: this.folder, env: ENV, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  commit(message: string): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--message', message);
  }

  /** Runs a script of the clone. */
  run(script: string, ...words: string[]): Promise<Said> {
    return new Promise((resolve) => {
      const options = { cwd: this.folder, env: ENV, maxBuffer: 16_000_000 };
      execFile(process.execPath, [script, ...words], options, (error, text, complaint) =>
        resolve({ code: error ? Number(error.code) : 0, said: text + complaint }),
      );
    });
  }

  /** Runs a script of the clone, and sends it a signal when it has said some words. */
  async interrupt(words: string, script: string, ...args: string[]): Promise<Said> {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: this.folder,
      env: ENV,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let sent = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        said += String(text);
        if (!sent && said.includes(words)) sent = child.kill('SIGINT');
      });
    }
    const [code] = (await once(child, 'close')) as [number];
    return { code, said };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
