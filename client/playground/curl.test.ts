import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { asCurl } from './curl.js';

/** Returns the arguments that a real shell passes to curl. */
function argumentsOf(command: string): string[] {
  const said = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' });
  return said.split('\0').slice(0, -1);
}

it('quotes query, variables and headers so that a shell changes nothing', () => {
  const nasty = `it's "$HOME" \`id\` $(id) \\ ! * ~ ; & | #\nüñ🎊 \u2028`;
  const request = { query: `# ${nasty}\n{ me { id } }`, operationName: 'Me', variables: { "it's": nasty } };
  const [address, ...rest] = argumentsOf(asCurl(request, 'the-token', { 'X-Own': "it's $HOME" }));
  expect(address).toBe('http://localhost/graphql');
  expect(rest.slice(0, -1)).toEqual([
    '-H',
    'authorization: Bearer the-token',
    '-H',
    'content-type: application/json',
    '-H',
    "x-own: it's $HOME",
    '--data-raw',
  ]);
  expect(JSON.parse(rest.at(-1)!)).toEqual(request);
});

it('omits a missing token and prefers a typed header', () => {
  expect(asCurl({ query: '{ __typename }' }, null)).not.toContain('authorization');
  const command = asCurl({ query: '{ __typename }' }, 'own', { Authorization: 'Bearer typed' });
  expect(command).toContain("-H 'authorization: Bearer typed'");
  expect(command).not.toContain('own');
});

it('rejects an invalid typed header', () => {
  expect(() => asCurl({ query: '{ __typename }' }, null, { 'x-own': 'a\nb' })).toThrow('invalid');
});
