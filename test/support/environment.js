/**
 * Jest's environment for Node, with one object that outlives a test file: a worker keeps its shared server there
 * (see server.ts).
 */
import { TestEnvironment } from 'jest-environment-node';

const kept = {};

export default class extends TestEnvironment {
  /** @override */
  async setup() {
    await super.setup();
    this.global.kept = kept;
  }
}
