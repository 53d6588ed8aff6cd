/**
 * Writes schema.graphql from the built server's resolvers and openapi.json from its controllers, without a database
 * (`npm run schema`).
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { ensureBuilt } from './build/ensure-built.js';
import { ROOT } from './machine/run.js';

await ensureBuilt({ parts: ['server'] });
const app = await NestFactory.createApplicationContext(GraphQLSchemaBuilderModule, { logger: ['error', 'warn'] });
const schema = await app.get(GraphQLSchemaFactory).create(await classesOf('.resolver.js'));
const note = '# Written by scripts/schema.js from the resolvers in server/. Do not edit.\n\n';
writeFileSync(join(ROOT, 'schema.graphql'), `${note}${printSchema(lexicographicSortSchema(schema))}\n`);
await app.close();
const { openApiOf } = await import(pathToFileURL(join(ROOT, 'dist/server/app/openapi.js')).href);
const document = openApiOf(await classesOf('.controller.js'));
writeFileSync(join(ROOT, 'openapi.json'), `${JSON.stringify(document, null, 2)}\n`);

/** Files with such a name export only the classes that it promises. */
async function classesOf(/** @type {string} */ ending) {
  const server = join(ROOT, 'dist/server');
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(ending));
  const modules = await Promise.all(files.sort().map((path) => import(pathToFileURL(join(server, path)).href)));
  return modules.flatMap((module) => /** @type {Function[]} */ (Object.values(module)));
}
