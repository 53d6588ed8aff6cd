/**
 * Jest's environment for Node, with one object that outlives a test file: a worker keeps its shared server there
 * (see server.ts) and loads large packages once instead of once per file (see chromium.ts). When a test fails, it prints
 * what the witnesses of the file see (see witnesses.ts).
 */
import { TestEnvironment } from 'jest-environment-node';

/** @type {{ load: (name: string) => Promise<unknown> }} */
const kept = { load: (name) => import(name) };

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
