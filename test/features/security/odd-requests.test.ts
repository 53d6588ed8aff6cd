import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { aServer, endOfLog } from '../../support/server.js';
import type { GraphQLAnswer } from '../../support/visitor.js';
import { INSIDE } from './inside.js';

const JSON_TYPE = { 'content-type': 'application/json' };
/** Only this file sends it, so the server does not know its hash. */
const QUERY = '{ leaderboard { name } } # persisted';
const UUID = expect.stringMatching(/^[\da-f-]{36}$/) as unknown;
const HASH = createHash('sha256').update(QUERY).digest('hex');

const server = aServer();

async function post(body: unknown, headers: Record<string, string> = JSON_TYPE) {
  const response = await fetch(`${server.origin}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, answer: (await response.json()) as GraphQLAnswer };
}

const persisted = (sha256Hash: unknown, version: unknown = 1) => ({ persistedQuery: { version, sha256Hash } });

describe('Automatic persisted queries', () => {
  test('accept a hash once its document was sent with it', async () => {
    const unknown = await post({ extensions: persisted(HASH) });
    expect(unknown).toMatchObject({
      status: 200,
      answer: {
        errors: [
          { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', requestId: UUID } },
        ],
      },
    });
    expect((await post({ query: QUERY, extensions: persisted(HASH) })).answer).toMatchObject({
      data: { leaderboard: expect.any(Array) },
    });
    expect((await post({ extensions: persisted(HASH) })).answer).toMatchObject({
      data: { leaderboard: expect.any(Array) },
    });
    const extensions = encodeURIComponent(JSON.stringify(persisted(HASH)));
    const read = await fetch(`${server.origin}/graphql?extensions=${extensions}`);
    expect(await read.json()).toMatchObject({ data: { leaderboard: expect.any(Array) } });
  });

  test('do not keep a rejected document', async () => {
    const query = `{ ${'leaderboard { name } '.repeat(11)} }`;
    const hash = createHash('sha256').update(query).digest('hex');
    expect((await post({ query, extensions: persisted(hash) })).status).toBe(400);
    expect((await post({ extensions: persisted(hash) })).answer.errors?.[0]?.extensions.code).toBe(
      'PERSISTED_QUERY_NOT_FOUND',
    );
  });
});

describe('Whatever an anonymous client sends', () => {
  const PATHS = [
    '/graphql',
    '/api/player/stats',
    '/api/leaderboard',
    '/auth/token',
    '/auth/refresh',
    '/health/live',
    '/',
  ];
  const BODIES: [string, Record<string, string>, string | Uint8Array<ArrayBuffer>][] = [
    ['nothing', JSON_TYPE, ''],
    ['null', JSON_TYPE, 'null'],
    ['a list', JSON_TYPE, '[]'],
    ['a batch', JSON_TYPE, JSON.stringify([{ query: QUERY }, null, 1])],
    ['an odd query', JSON_TYPE, '{"query":["{"],"variables":[],"extensions":1}'],
    [
      'odd variables',
      JSON_TYPE,
      `{"query":"query($a:Int!){leaderboard(limit:$a){name}}","variables":{"a":${'['.repeat(7_000)}${']'.repeat(7_000)}}}`,
    ],
    [
      'numbers without end',
      JSON_TYPE,
      '{"query":"query($a:Int!){leaderboard(limit:$a){name}}","variables":{"a":1e999}}',
    ],
    [
      'a prototype',
      JSON_TYPE,
      '{"query":"query($__proto__:Int){leaderboard(limit:$__proto__){name}}","variables":{"__proto__":1},"operationName":"__proto__"}',
    ],
    [
      'a fragment named as a prototype',
      JSON_TYPE,
      '{"query":"{...__proto__ ...constructor} fragment __proto__ on Query {__typename} fragment constructor on Query {__typename}"}',
    ],
    ['an unknown directive', JSON_TYPE, '{"query":"{ __typename @defer @stream(initialCount: 1) }"}'],
    ['a schema', JSON_TYPE, '{"query":"type A { a: Int } extend schema { query: A }"}'],
    ['a lone surrogate', JSON_TYPE, '{"query":"{ player(id: \\"\\ud800\\") { id } }"}'],
    ['a NUL', JSON_TYPE, '{"query":"query($a:ID!){ player(id: $a) { id } }","variables":{"a":"\\u0000"}}'],
    ['text', { 'content-type': 'text/plain' }, QUERY],
    ['GraphQL', { 'content-type': 'application/graphql' }, QUERY],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'query=%7B&a[b][c]=1'],
    ['parts', { 'content-type': 'multipart/form-data; boundary=x' }, '--x\r\n\r\n--x--'],
    ['an unknown type', { 'content-type': 'x' }, '{}'],
    ['UTF-16', { 'content-type': 'application/json; charset=utf-16' }, Buffer.from('{}', 'utf16le')],
    ['noise as gzip', { ...JSON_TYPE, 'content-encoding': 'gzip' }, randomBytes(40)],
    ['much as gzip', { ...JSON_TYPE, 'content-encoding': 'gzip' }, gzipSync(`"${'x'.repeat(1_000_000)}"`)],
  ];
  const HEADERS: [string, Record<string, string>][] = [
    ['Accept: text/event-stream', { accept: 'text/event-stream' }],
    ['Accept: multipart/mixed', { accept: 'multipart/mixed; deferSpec=20220824' }],
    ['Accept: nonsense', { accept: ';;;,,/q=x' }],
    ['Accept-Encoding: nonsense', { 'accept-encoding': 'x;q=9,*;q=a' }],
    ['If-None-Match: *', { 'if-none-match': '*' }],
    ['Range: nonsense', { range: 'bytes=a-' }],
    ['an odd Authorization', { authorization: 'Bearer a.b.c' }],
    ['an odd Cookie', { cookie: 'refresh=%E0%A4%A; login-x=%; =;;__proto__=1' }],
    ['an odd X-Forwarded-For', { 'x-forwarded-for': ',,unknown,999.1.1.1,[::' }],
    ['an odd Host', { 'x-forwarded-host': '[', 'x-forwarded-proto': ',' }],
    ['an odd Origin', { origin: 'http://[' }],
    ['an odd If-Modified-Since', { 'if-modified-since': 'x' }],
  ];
  const QUERIES = [
    '?query=%ff',
    '?query={a',
    '?query=a&query=b',
    '?extensions={',
    '?variables=[1]&query={__typename}',
    '?a[__proto__]=1',
    '?operationName=%00&query={__typename}',
    '?%',
    '/%',
    '/%00',
    '/%ff.svg',
    '/%c0%ae/',
    '?query=subscription{leaderboard{name}}',
    '?limit=%ff',
    '/assets/../../package.json',
    '?extensions={"persistedQuery":{"version":1,"sha256Hash":"a"}}',
  ];

  test('the error log stays empty, and no refusal reveals anything about the code', async () => {
    const broken: string[] = [];
    const send = async (what: string, path: string, init: RequestInit) => {
      const response = await fetch(server.origin + path, { redirect: 'manual', ...init });
      const answer = await response.text();
      if (response.status >= 500) broken.push(`${what} to ${path}: ${response.status}`);
      if (response.status >= 400 && INSIDE.test(answer)) broken.push(`${what} to ${path}: ${answer}`);
    };
    for (const path of PATHS) {
      for (const [what, headers, body] of BODIES) await send(what, path, { method: 'POST', headers, body });
      for (const [what, headers] of HEADERS) {
        await send(what, path, { headers });
        await send(what, path, {
          method: 'POST',
          headers: { ...JSON_TYPE, ...headers },
          body: JSON.stringify({ query: QUERY }),
        });
      }
      for (const query of QUERIES) await send(query, path + query, {});
      for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY', 'LOCK'])
        await send(method, path, { method });
    }
    await endOfLog(server);
    expect(broken).toEqual([]);
    expect(
      server
        .log()
        .split('\n')
        .filter((line) => line.includes('"level":50') || line.includes('"stack"')),
    ).toEqual([]);
  });
});

test('nothing of a request comes back as markup or in a header', async () => {
  const markup = '<script>alert(1)</script>';
  for (const path of [
    `/${encodeURIComponent(markup)}`,
    `/api/leaderboard?limit=${encodeURIComponent(markup)}`,
    `/auth/google/callback?error=${encodeURIComponent(markup)}&state=x`,
    `/avatar/${encodeURIComponent(markup)}.svg`,
  ]) {
    const response = await fetch(server.origin + path, { redirect: 'manual' });
    expect(await response.text()).not.toContain('<script');
    expect(JSON.stringify([...response.headers])).not.toContain('script>');
  }
});

test('a request with two Host headers is 400, whatever they say', async () => {
  const { port } = new URL(server.origin);
  for (const hosts of [
    ['localhost', 'evil.example'],
    ['localhost', 'localhost'],
  ]) {
    const client = connect(Number(port), 'localhost');
    const lines = ['GET /health/live HTTP/1.1', ...hosts.map((host) => `Host: ${host}`), 'Connection: close', '', ''];
    client.write(lines.join('\r\n'));
    const answer = await text(client);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('{"error":"A request has one Host header.","code":"bad_request"');
  }
});

test.each(['[', 'a b', '%', ''])('a GraphQL request to the host %j is 400', async (host) => {
  const client = connect(Number(new URL(server.origin).port), 'localhost');
  client.write(`GET /graphql?query={__typename} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const answer = await text(client);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('"code":"BAD_REQUEST"');
});
