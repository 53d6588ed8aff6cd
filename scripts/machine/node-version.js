/**
 * Every command imports this file first. On a version of Node that is too old, the command goes on with the one that
 * package-lock.json pins for Linux, or ends with one sentence. So use only syntax that old versions can parse.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { ensurePackages, PINNED } from './install.js';
import { onLostParent } from './run.js';

process.on('uncaughtException', (error) => {
  // A failure has its sentence. All else is a mistake in the code, whose place helps.
  console.error(['Error', 'OperatorError'].includes(error.name) ? error.message : error);
  process.exit(1);
});

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isFrom = (/** @type {number} */ first, /** @type {number} */ second) =>
  major > first || (major === first && minor >= second);

if (!isFrom(24, 11) && !(major === 22 && minor >= 21)) {
  // While this waits, the modules beside it run. They need parseEnv of Node 20.12.
  if (process.platform !== 'linux' || !isFrom(20, 12)) refuse();
  process.exit(await goOn());
}

/** @returns {never} */
function refuse() {
  console.error(`This needs Node.js 22.21, 24.11 or newer, and this is ${process.version}: https://nodejs.org`);
  process.exit(1);
}

/** @returns {Promise<number>} the exit code */
async function goOn() {
  await ensurePackages();
  // There is none for rare processors.
  if (!existsSync(PINNED)) refuse();
  const PATH = `${dirname(PINNED)}${delimiter}${process.env.PATH}`;
  const command = spawn(PINNED, process.argv.slice(1), {
    env: { ...process.env, PATH },
    stdio: 'inherit',
    // A group of its own: else Ctrl-C would reach it twice, from the terminal and from here.
    detached: true,
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => command.kill(signal));
  onLostParent(() => command.kill());
  const [code] = await once(command, 'exit');
  return code ?? 1;
}
