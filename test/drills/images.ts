import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from '../../scripts/machine/debian.js';

interface Config {
  Env: string[];
  Cmd: string[];
  WorkingDir: string;
  Labels: Record<string, string>;
  Healthcheck: { Test: string[] };
}

export interface Image {
  /** Where its files lie. */
  folder: string;
  workingFolder: string;
  config: Config;
}

const dockerfile = readFileSync('Dockerfile', 'utf8');
const [, node = ''] = /^ARG NODE=(.*)/m.exec(dockerfile)!;
const named = [...dockerfile.matchAll(/^FROM (?:--\S+ )?(\S+:\S+)/gm)].map(([, name = '']) => name);
/** Versions of buildah look for a base by what the Dockerfile says, or by what that becomes. */
const bases = new Set(named.flatMap((name) => [name, name.replace('$NODE', node)]));
/** Where Debian has those of the machine: its registry may have one of its own. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** As Docker reads their names. */
const addressOf = (base: string) => `docker.io/${base.includes('/') ? '' : 'library/'}${base.replace('$NODE', node)}`;

/**
 * Builds images below a folder with buildah; undefined without it. Where no base image can be pulled, an empty one stands for each:
 * in it, a build runs the programs of this machine.
 */
export function builderIn(root: string) {
  if (!findProgram('buildah')) return undefined;
  const buildah = (...words: string[]) =>
    execFileSync('buildah', [`--root=${root}/images`, `--runroot=${root}/running`, ...words], {
      encoding: 'utf8',
      stdio: 'pipe',
      maxBuffer: 64_000_000,
    });
  const isolated = ['build', '--layers', '--isolation=chroot', '--format=docker'];
  let options = [...bases].map((base) => `--build-context=${base}=docker-image://${addressOf(base)}`);
  let note = '';
  try {
    buildah('pull', '--quiet', addressOf(named[0]!));
  } catch {
    note = ' (no base image can be pulled here: empty ones stand for them, and caddy is not built)';
    const empty = join(root, 'empty');
    for (const folder of ['usr', 'etc', 'root', 'tmp']) mkdirSync(join(empty, folder), { recursive: true });
    for (const folder of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${folder}`, join(empty, folder));
    writeFileSync(
      join(root, 'Empty'),
      `FROM scratch\nCOPY . /\nENV PATH=/opt/node:/usr/bin HOME=/root NODE_EXTRA_CA_CERTS=${CERTIFICATES}\n`,
    );
    buildah(...isolated, '--tag=empty', `--file=${root}/Empty`, empty);
    options = [...bases].map((base) => `--build-context=${base}=container-image://localhost/empty`);
    options.push(`--volume=${dirname(process.execPath)}:/opt/node:ro`);
    for (const folder of ['/usr', '/etc/ssl']) options.push(`--volume=${folder}:${folder}:ro`);
  }
  const build = (context: string, target: string, args: string[]): Image => {
    const folder = join(root, target);
    const how = [`--target=${target}`, `--tag=${target}`, `--output=type=local,dest=${folder}`];
    buildah(...isolated, ...options, ...args, ...how, context);
    // The user of the image must be able to enter.
    chmodSync(folder, 0o755);
    const { Docker } = JSON.parse(buildah('inspect', '--type=image', target)) as { Docker: { config: Config } };
    return { folder, workingFolder: join(folder, Docker.config.WorkingDir), config: Docker.config };
  };
  return {
    note,
    build: (context: string, targets: readonly string[], args: Record<string, string>) => {
      const given = Object.entries(args).map(([name, value]) => `--build-arg=${name}=${value}`);
      const wanted = targets.filter((target) => !note || target !== 'caddy');
      return Object.fromEntries(wanted.map((target) => [target, build(context, target, given)]));
    },
    remove: () => buildah('rmi', '--all', '--force'),
  };
}
