/**
 * Writes schema.graphql and openapi.json from the built server, without a database (`npm run schema`).
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { builtModule, ensureBuilt } from './build/ensure-built.js';
import { ROOT } from './machine/run.js';

await ensureBuilt({ parts: ['server'] });
const app = await NestFactory.createApplicationContext(GraphQLSchemaBuilderModule, { logger: ['error', 'warn'] });
const schema = await app.get(GraphQLSchemaFactory).create(await resolvers());
const note = '# Written by scripts/schema.js from the resolvers in server/. Do not edit.\n\n';
writeFileSync(join(ROOT, 'schema.graphql'), `${note}${printSchema(lexicographicSortSchema(schema))}\n`);
await app.close();
const { openApi } = await import('./openapi.js');
writeFileSync(join(ROOT, 'openapi.json'), `${JSON.stringify(openApi, undefined, 2)}\n`);

/** Files with the name of a resolver export nothing else. */
async function resolvers() {
  const files = readdirSync(join(ROOT, 'dist/server'), { recursive: true, encoding: 'utf8' });
  const modules = await Promise.all(
    files
      .filter((path) => path.endsWith('.resolver.js'))
      .sort()
      .map(builtModule),
  );
  return modules.flatMap((module) => /** @type {Function[]} */ (Object.values(module)));
}
