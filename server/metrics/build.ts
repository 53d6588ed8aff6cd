import { Gauge, type Registry } from 'prom-client';
import { migrations } from '../schema/migrations/index.js';
import { readVersion } from '../settings/folders.js';

/** The version of the product, of Node and of the schema. */
export function recordBuild(registry: Registry): void {
  new Gauge({
    name: 'ttt_build_info',
    help: 'Always 1. The versions are in the labels; migration is the newest one that this build knows.',
    labelNames: ['version', 'node', 'migration'],
    registers: [registry],
  }).set({ version: readVersion(), node: process.versions.node, migration: migrations.at(-1)!.name }, 1);
}
