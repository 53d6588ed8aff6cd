/** Finds or installs promtool, which tests the alert rules in ops/. */
import { ensureProgram, findProgram } from './debian.js';

export const findPromtool = () => findProgram('promtool');

export const ensurePromtool = () =>
  ensureProgram({ name: 'promtool', program: 'promtool', from: 'prometheus', purpose: 'the tests of the alert rules' });
