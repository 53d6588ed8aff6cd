import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';
import { ROOT } from '../../scripts/machine/run.js';
import { aPlayerWithToken, blockOf, environmentOf, start } from '../support/apiDocument.js';
import { type Server, sharedServer } from '../support/server.js';

const execute = promisify(execFile);

/** A program of somebody else: what docs/api.md has, and what generators write. */
let folder: string;
let server: Server;
beforeAll(async () => {
  server = await sharedServer();
  folder = mkdtempSync(join(process.env.TEST_FOLDER!, 'clients-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  write('package.json', JSON.stringify({ type: 'module' }));
  await start('sh types', { ...environmentOf(server), npm_config_offline: 'true' }, folder);
  write('operations.ts', await typedOperations());
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

function typedOperations(): Promise<string> {
  const document = parse(blockOf('graphql operations'));
  return codegen({
    filename: 'operations.ts',
    schema: parse(readFileSync(join(ROOT, 'schema.graphql'), 'utf8')),
    documents: [{ location: 'operations.graphql', document }],
    plugins: [{ typescriptOperations: {} }, { typedDocumentNode: {} }],
    pluginMap: { typescriptOperations, typedDocumentNode },
    config: { documentMode: 'documentNode', enumType: 'string-literal', useTypeImports: true },
  });
}

/** Compiles programs strictly. @throws with what the compiler finds wrong */
async function compile(sources: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, source] of Object.entries(sources)) write(file, source);
  const options = { strict: true, target: 'es2022', module: 'nodenext', types: ['node'], noEmitOnError: true };
  write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: Object.keys(sources) }));
  await execute(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], { cwd: folder });
}

test('generated clients of REST and GraphQL type-check, and each plays a game that counts', async () => {
  await compile({ 'rest.ts': blockOf('ts rest'), 'graphql.ts': blockOf('ts graphql') });
  for (const name of ['rest', 'graphql']) {
    const { player, token } = await aPlayerWithToken(server, { scopes: 'games_write' });
    const env = environmentOf(server, token);
    const { stdout } = await execute(process.execPath, [`${name}.js`], { cwd: folder, env });
    const { data } = await player.graphql<{ myGames: { id: string; result: string; byProgram: boolean }[] }>(
      '{ myGames { id result byProgram } }',
    );
    const [game, ...others] = data!.myGames;
    expect([game!.byProgram, others]).toEqual([true, []]);
    expect(stdout).toMatch(new RegExp(`^${game!.id} ${game!.result} (-1|0|1)\n`));
  }
});

const WRONG = [
  ['rest', 'counted.game.result', 'counted.game.outcome', "Property 'outcome' does not exist"],
  ['rest', "difficulty: 'easy'", "difficulty: 'simple'", `Type '"simple"' is not assignable`],
  ['rest', "'/api/games/{id}/finish'", "'/api/games/{id}/end'", `Argument of type '"/api/games/{id}/end"' is not`],
  ['graphql', 'finishGame.game.result', 'finishGame.game.outcome', "Property 'outcome' does not exist"],
  ['graphql', "difficulty: 'medium'", "difficulty: 'simple'", `Type '"simple"' is not assignable`],
] as const;

test('a generated client with a wrong name of a field, a value or a path does not type-check', async () => {
  const programs = WRONG.map(([name, right, wrong], at) => {
    expect(blockOf(`ts ${name}`)).toContain(right);
    return [`wrong-${at}.ts`, blockOf(`ts ${name}`).replace(right, wrong)];
  });
  const refused = (await compile(Object.fromEntries(programs) as Record<string, string>).catch(
    (error: unknown) => error,
  )) as { stdout: string };
  const problems = refused.stdout.split('\n').filter((line) => line.startsWith('wrong-'));
  for (const [at, [, , wrong, problem]] of WRONG.entries()) {
    const said = problems.filter((line) => line.startsWith(`wrong-${at}.ts`)).join('\n');
    expect([wrong, said]).toEqual([wrong, expect.stringContaining(problem)]);
  }
});
