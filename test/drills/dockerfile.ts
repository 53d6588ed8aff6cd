import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, posix, relative } from 'node:path';
import { packagesAreInstalled } from '../../scripts/machine/install.js';
import { contextOf } from '../../scripts/release/context.js';

interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Image {
  /** Where the files of the last stage lie. */
  readonly folder: string;
  readonly workingFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  remove(): void;
}

/** The instructions in order: comments gone, continued lines joined. */
function instructionsOf(dockerfile: string): Instruction[] {
  return dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, text] = /^(\w+)\s+(.*)$/.exec(line.trim())!;
      return { name: name!.toUpperCase(), text: text! };
    });
}

/**
 * Does with folders what `docker build` does with images: every stage is an empty folder, in which the instructions run
 * in order with this machine's Node. Mounts of a cache and ports are ignored; an unknown instruction is an error, so that
 * nothing new goes untested. `npm ci --include=dev` takes the context's own packages when they are those of its
 * package-lock.json: `npm test` has installed them with the same command.
 */
export function build(context: string, env: NodeJS.ProcessEnv): Image {
  const root = mkdtempSync(join(tmpdir(), 'tic-tac-toe-image-'));
  // The user of the image must be able to enter.
  chmodSync(root, 0o755);
  const remove = () => rmSync(root, { recursive: true, force: true });
  try {
    const allowed = contextOf(context);
    const stages = new Map<string, string>();
    let stage = {
      folder: '',
      workdir: '/',
      environment: {} as Record<string, string>,
      args: {} as Record<string, string>,
    };
    let command: string[] = [];
    let healthCheck: string[] = [];

    for (const { name, text } of instructionsOf(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
      const here = () => join(stage.folder, stage.workdir);
      switch (name) {
        case 'FROM': {
          const as = / AS (\w+)$/i.exec(text)?.[1] ?? 'final';
          stage = { folder: join(root, as), workdir: '/', environment: {}, args: {} };
          mkdirSync(stage.folder);
          stages.set(as, stage.folder);
          break;
        }
        case 'WORKDIR':
          stage.workdir = posix.resolve(stage.workdir, text);
          mkdirSync(here(), { recursive: true });
          break;
        case 'ARG': {
          const [key, value = ''] = text.split('=') as [string, string?];
          stage.args[key] = value;
          break;
        }
        case 'ENV': {
          const [key, value] = text.split('=') as [string, string];
          stage.environment[key] = value;
          break;
        }
        case 'COPY': {
          const words = text.split(' ').filter((word) => !word.startsWith('--'));
          const from = /--from=(\w+)/.exec(text)?.[1];
          const target = join(stage.folder, posix.resolve(stage.workdir, words.pop()!));
          const source = from ? stages.get(from)! : context;
          for (const word of words) {
            if (from) link(join(source, word), target);
            else copy(join(source, word), target, (path) => allowed(relative(context, path)));
          }
          break;
        }
        case 'RUN': {
          const script = text.replace(/--mount=\S+\s+/g, '');
          if (script === 'npm ci --include=dev' && packagesAreInstalled(context)) {
            link(join(context, 'node_modules'), join(here(), 'node_modules'));
          } else {
            execFileSync('sh', ['-ec', script], {
              cwd: here(),
              env: { ...env, ...stage.args, ...stage.environment },
              stdio: 'pipe',
            });
          }
          break;
        }
        case 'CMD':
          command = JSON.parse(text) as string[];
          break;
        case 'HEALTHCHECK':
          healthCheck = JSON.parse(text.slice(text.indexOf('['))) as string[];
          break;
        case 'LABEL':
        case 'USER':
        case 'EXPOSE':
          break;
        default:
          throw new Error(`The test does not know what ${name} does.`);
      }
    }
    const { folder, workdir, environment } = stage;
    return { folder, workingFolder: join(folder, workdir), environment, command, healthCheck, remove };
  } catch (error) {
    remove();
    const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer };
    throw stdout || stderr ? new Error(`${(error as Error).message}\n${String(stdout)}${String(stderr)}`) : error;
  }
}

/** Copies a folder's content by hard links where the file system allows it. */
function link(folder: string, target: string): void {
  mkdirSync(target, { recursive: true });
  try {
    execFileSync('cp', ['-al', `${folder}/.`, target], { stdio: 'ignore' });
  } catch {
    cpSync(folder, target, { recursive: true, verbatimSymlinks: true });
  }
}

/** COPY: a folder's content goes into the target, a file goes into it under its own name. */
function copy(source: string, target: string, wanted: (path: string) => boolean): void {
  if (!existsSync(source)) throw new Error(`COPY finds no ${source}`);
  const isFolder = statSync(source).isDirectory();
  mkdirSync(target, { recursive: true });
  const pairs = isFolder
    ? readdirSync(source).map((name) => [join(source, name), join(target, name)] as const)
    : [[source, join(target, basename(source))] as const];
  for (const [from, to] of pairs) {
    if (wanted(from)) cpSync(from, to, { recursive: true, filter: wanted, verbatimSymlinks: true });
  }
}
