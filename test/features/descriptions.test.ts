import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { aPlayerWithToken } from '../support/apiDocument.js';
import { mistakesIn } from '../support/contract.js';
import { aServer } from '../support/server.js';

const server = aServer();

const node = (...args: string[]) => promisify(execFile)(process.execPath, args);

test.each([
  ['/schema.graphql', 'text/plain; charset=utf-8'],
  ['/openapi.json', 'application/json; charset=utf-8'],
])('%s is the file of the release, which pages of every origin read when it has changed', async (path, type) => {
  const ask = async (more: object, at = path) => {
    const response = await fetch(server.origin + at, { headers: { origin: 'https://a.example', ...more } });
    const headers = Object.fromEntries(response.headers);
    return { status: response.status, text: await response.text(), ...headers };
  };
  const all = { 'access-control-allow-origin': '*', etag: expect.stringMatching(/^"/) };
  const first = await ask({});
  expect(first).toMatchObject({ ...all, status: 200, 'content-type': type, text: readFileSync(`.${path}`, 'utf8') });
  const known = { 'if-none-match': (first as unknown as typeof all).etag };
  expect(await ask(known)).toMatchObject({ ...all, status: 304, text: '' });
  expect(await ask({}, `${path}/`)).not.toMatchObject(all);
});

test('a validator accepts openapi.json, and its examples are as it says', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const check = (_key: string, value: { examples?: object[] } | null) => {
    for (const example of value?.examples ?? [])
      expect([example, ajv.validate(value!, example)]).toEqual([example, true]);
    return value;
  };
  JSON.parse(readFileSync('openapi.json', 'utf8'), check);
  await node('node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js', 'openapi.json');
});

/** What a program does with the client that a generator makes. */
const programFor = (origin: string, token: string, userId: string) => `
import { createClient } from './client/index.js';
import { readLeaderboard, readStats, reportResult } from './sdk.gen.js';

const client = createClient({ baseUrl: '${origin}', auth: '${token}' });
const userId = '${userId}';
const report = { client, body: { userId, result: 'win', difficulty: 'easy' }, headers: { 'Idempotency-Key': 'a' } } as const;
await reportResult(report);
await reportResult(report);
const { data: stats } = await readStats({ client, query: { userId } });
// @ts-expect-error
const { error } = await reportResult({ ...report, body: { ...report.body, result: 'won' } });
const code: 'bad_request' | 'voided' | undefined = error?.code === 'voided' ? error.code : undefined;
const query = { limit: 100 };
const { data: board, response } = await readLeaderboard({ client, query });
const again = { 'If-None-Match': response!.headers.get('ETag')! };
const same = await readLeaderboard({ client, query, headers: again });
console.log(stats!.wins, board!.find(({ user_id }) => user_id === userId)?.total_games, error!.code, code, same.response!.status);
`;

test('a client that a generator makes from openapi.json plays the contract, and its types know what is wrong', async () => {
  const { player, token } = await aPlayerWithToken(server);
  const folder = mkdtempSync(join(process.env.TEST_FOLDER!, 'client-'));
  await node('node_modules/@hey-api/openapi-ts/bin/run.js', '-i', `${server.origin}/openapi.json`, '-o', folder, '-s');
  writeFileSync(join(folder, 'program.ts'), programFor(server.origin, token, player.user.id));
  const options = [
    '--ignoreConfig',
    '--strict',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--target',
    'es2023',
  ];
  await node('node_modules/typescript-native/bin/tsc', ...options, join(folder, 'program.ts'));
  const { stdout } = await node(join(folder, 'program.js'));
  expect(stdout).toBe('1 1 bad_request undefined 304\n');
});

test('each answer of REST to a feature test is held to openapi.json', async () => {
  const headers = { 'X-Request-Id': '', 'X-Cost': '1' };
  const other = Response.json([{ user_id: '1', email: 'ada@example.org' }], { headers });
  const name = expect.stringContaining("required property 'name'");
  expect(await mistakesIn(other, 'get', '/api/leaderboard')).toEqual(['ETag', 'x-cost', name]);
});
