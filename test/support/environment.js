/**
 * Jest's environment for Node, with one object that outlives a test file: a worker keeps its shared server there
 * (see server.ts) and loads large packages once instead of once per file (see chromium.ts).
 */
import { TestEnvironment } from 'jest-environment-node';

/** @type {{ load: (name: string) => Promise<unknown> }} */
const kept = { load: (name) => import(name) };

export default class extends TestEnvironment {
  /** @override */
  async setup() {
    await super.setup();
    this.global.kept = kept;
  }
}
