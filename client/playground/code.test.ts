import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { asCurl, asJavaScript, asPython, describeRequest, withToken } from './code.js';
import type { Description } from './code.js';

const LANGUAGES = [
  { language: 'curl', format: asCurl, program: 'sh', options: ['-euc'] },
  { language: 'JavaScript', format: asJavaScript, program: 'node', options: ['--input-type=module', '--eval'] },
  { language: 'Python', format: asPython, program: 'python3', options: ['-c'] },
];
type Language = (typeof LANGUAGES)[number];

const received: { method?: string; url?: string; headers: object; body: unknown }[] = [];
let status = 200;
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: JSON.parse(Buffer.concat(parts).toString()) });
    response.statusCode = status;
    response.end('{"data":"ü🎊"}');
  });
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());
beforeEach(() => {
  received.length = 0;
  status = 200;
});

/** Runs the text as a user does, and returns what it prints and what arrives. */
async function run({ format, program, options }: Language, description: Description, env: object = {}) {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  const text = format({ ...description, address });
  const { stdout } = await promisify(execFile)(program, [...options, text], {
    env: { PATH: process.env.PATH, PYTHONUTF8: '1', ...env },
  });
  expect(received).toHaveLength(1);
  return { stdout: stdout.trim(), ...received[0]! };
}

const NASTY = `it's "$HOME" \${HOME} \`id\` $(id) \\ \\n \\' \\\` \\" """ ''' {x} %s ! * ~ ; & | # <!-- true\r\n\t# üñ🎊 \u2028\u0085`;
const REQUEST = {
  query: `\n# ${NASTY}\nquery Me { me { id } }\n# "`,
  operationName: 'Me',
  variables: { "it's": NASTY, list: [true, false, null, -1.5e-7, 'null', { deep: [] }], [NASTY]: {} },
};

it.each(LANGUAGES)('$language sends query, variables and headers as they are', async (language) => {
  const description = describeRequest(REQUEST, true, { 'X-Own': `it's "$HOME" \\ \`id\`` });
  const { body, method, url, headers, stdout } = await run(language, withToken(description, 'the-token'));
  expect(body).toEqual(REQUEST);
  expect({ method, url, stdout }).toEqual({ method: 'POST', url: '/graphql', stdout: '{"data":"ü🎊"}' });
  expect(headers).toMatchObject({
    authorization: 'Bearer the-token',
    'content-type': 'application/json',
    'x-own': `it's "$HOME" \\ \`id\``,
  });
});

it.each(LANGUAGES)('$language reads a token that it must not show from TOKEN', async (language) => {
  const { headers } = await run(language, describeRequest(REQUEST, true), { TOKEN: `a'b"$c` });
  expect(headers).toMatchObject({ authorization: `Bearer a'b"$c`, 'content-type': 'application/json' });
});

it.each(LANGUAGES)('$language sends the query alone, without a token, and prints a refusal', async (language) => {
  status = 429;
  const { body, headers, stdout } = await run(language, describeRequest({ query: '{ __typename }' }, false));
  expect(body).toEqual({ query: '{ __typename }' });
  expect(headers).not.toHaveProperty('authorization');
  expect(stdout).toBe('{"data":"ü🎊"}');
});

it.each(LANGUAGES)('$language prefers a typed header to the token', async (language) => {
  const description = describeRequest(REQUEST, true, { Authorization: 'Bearer typed' });
  expect(description.readsToken).toBe(false);
  expect((await run(language, description)).headers).toMatchObject({ authorization: 'Bearer typed' });
});

it("goes to the page's own server, and omits an operation name that the text does not contain", () => {
  const { address, body } = describeRequest({ ...REQUEST, operationName: 'Other' }, false);
  expect(address).toBe('http://localhost/graphql');
  expect(body).toEqual({ query: REQUEST.query, variables: REQUEST.variables });
});

it('rejects an invalid typed header', () => {
  expect(() => describeRequest(REQUEST, false, { 'x-own': 'a\nb' })).toThrow('invalid');
});
