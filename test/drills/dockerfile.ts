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
  /** Where its files lie. */
  folder: string;
  workingFolder: string;
  environment: Record<string, string>;
  command: readonly string[];
  healthCheck: readonly string[];
}

const SCRATCH: Image = { folder: '', workingFolder: '/', environment: {}, command: [], healthCheck: [] };

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
 * Does with folders what `docker build` does with images, up to the last target: every stage is an empty folder, or the copy of
 * an earlier one, in which the instructions run in order with this machine's Node. Mounts of a cache and ports are ignored; an unknown instruction is an error, so that
 * nothing new goes untested. `npm ci --include=dev` takes the context's own packages when they are those of its
 * package-lock.json: `npm test` has installed them with the same command.
 */
export function build(context: string, last: string, env: NodeJS.ProcessEnv) {
  const root = mkdtempSync(join(tmpdir(), 'tic-tac-toe-image-'));
  // The user of the image must be able to enter.
  chmodSync(root, 0o755);
  const remove = () => rmSync(root, { recursive: true, force: true });
  try {
    const allowed = contextOf(context);
    const stages: Record<string, Image> = {};
    let stage = SCRATCH;
    let args: Record<string, string> = {};
    const all = instructionsOf(readFileSync(join(context, 'Dockerfile'), 'utf8'));
    const end = all.findIndex(({ name, text }) => name === 'FROM' && text.endsWith(` AS ${last}`)) + 1;
    const next = all.findIndex(({ name }, index) => name === 'FROM' && index >= end);

    for (const { name, text } of all.slice(0, next)) {
      const here = () => join(stage.folder, stage.workingFolder);
      switch (name) {
        case 'FROM': {
          const [, base, as] = /(\S+) AS (\w+)$/.exec(text) as unknown as [string, string, string];
          const below = stages[base] ?? SCRATCH;
          stage = { ...below, environment: { ...below.environment }, folder: join(root, as) };
          args = {};
          mkdirSync(stage.folder);
          if (below.folder) link(below.folder, stage.folder);
          stages[as] = stage;
          break;
        }
        case 'WORKDIR':
          stage.workingFolder = posix.resolve(stage.workingFolder, text);
          mkdirSync(here(), { recursive: true });
          break;
        case 'ARG': {
          const [key, value = ''] = text.split('=') as [string, string?];
          args[key] = value;
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
          const target = join(stage.folder, posix.resolve(stage.workingFolder, words.pop()!));
          const source = from ? stages[from]!.folder : context;
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
              env: { ...env, ...args, ...stage.environment },
              stdio: 'pipe',
            });
          }
          break;
        }
        case 'CMD':
          stage.command = JSON.parse(text) as string[];
          break;
        case 'HEALTHCHECK':
          stage.healthCheck = JSON.parse(text.slice(text.indexOf('['))) as string[];
          break;
        case 'LABEL':
        case 'USER':
        case 'EXPOSE':
          break;
        default:
          throw new Error(`The test does not know what ${name} does.`);
      }
    }
    for (const image of Object.values(stages)) image.workingFolder = join(image.folder, image.workingFolder);
    return { images: stages, remove };
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
