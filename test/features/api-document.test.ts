import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Server, sharedServer } from '../support/server.js';
import { aSignedInVisitor } from '../support/visitor.js';

const text = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

/** The one block of the document in a language. */
function blockOf(language: string): string {
  const [block, ...others] = [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))];
  if (!block || others.length > 0) throw new Error(`docs/api.md must have one block of ${language}`);
  return block[1]!;
}

let server: Server;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.remove());

test.each([
  ['sh', 'sh', ['-euc']],
  ['js', process.execPath, ['--input-type=module', '--eval']],
  ['python', 'python3', ['-c']],
])('the example in %s plays a game that counts', async (language, program, options) => {
  const player = await aSignedInVisitor(server);
  const { data } = await player.graphql<{ createToken: { secret: string } }>(
    'mutation { createToken(name: "Example", scopes: [games_write, stats_read]) { secret } }',
  );
  const env = { PATH: process.env.PATH, SERVER: server.origin, TOKEN: data!.createToken.secret };
  const { stdout, stderr } = await promisify(execFile)(program, [...options, blockOf(language)], { env });
  expect(stderr).toBe('');
  const counted = /\{"game":.*\}/.exec(stdout.replaceAll('": ', '":').replaceAll(', "', ',"'))?.[0];
  expect(JSON.parse(counted ?? stdout)).toMatchObject({
    game: { source: 'verified', by_program: true },
    counts_from: null,
  });
  const games = await player.graphql<{ myGames: object[] }>('{ myGames { byProgram } }');
  expect(games.data!.myGames).toEqual([{ byProgram: true }]);
});

test('the example in sh needs at most five curl commands', () => {
  expect(blockOf('sh').match(/curl/g)!.length).toBeLessThanOrEqual(5);
});
