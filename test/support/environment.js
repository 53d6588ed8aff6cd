/**
 * Jest's environment for Node, with one object that outlives a test file: a worker keeps its shared server and its browser
 * there (see server.ts and chromium.ts) and loads large packages once instead of once per file. When a test fails, it prints
 * what the witnesses of the file see (see witnesses.ts).
 */
import childProcess from 'node:child_process';
import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

const kept = {
  load: (/** @type {string} */ name) => import(name),
  require: createRequire(import.meta.url),
  /** The process that `open` starts does not keep the worker alive. @param {() => Promise<unknown>} open */
  async withoutHolding(open) {
    const { spawn } = childProcess;
    /** @param {Parameters<typeof spawn>} given */
    const unheld = (...given) => {
      const child = spawn(...given);
      child.unref();
      for (const end of child.stdio) /** @type {import('node:net').Socket | null} */ (end)?.unref();
      return child;
    };
    Object.assign(childProcess, { spawn: unheld });
    try {
      return await open();
    } finally {
      Object.assign(childProcess, { spawn });
    }
  },
};

export default class extends TestEnvironment {
  /** @type {Set<() => string | Promise<string>>} */
  witnesses = new Set();

  /** @override */
  async setup() {
    await super.setup();
    this.global.kept = kept;
    this.global.witnesses = this.witnesses;
  }

  /** @param {{ name: string, test?: { name: string } }} event */
  async handleTestEvent({ name, test }) {
    if (name !== 'test_fn_failure') return;
    for (const witness of this.witnesses) {
      const said = await Promise.resolve()
        .then(witness)
        .catch((/** @type {unknown} */ error) => String(error));
      this.global.console.log(`When "${test?.name}" failed:\n${said}`);
    }
  }
}
