import { Baseline1795500000000 } from './baseline.js';

/** In the order of execution. Every database goes through all of them. A released migration never changes. */
export const migrations = [Baseline1795500000000];
