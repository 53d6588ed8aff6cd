import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Server, startServer } from '../../support/server.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A large file in a copy of the build that only this file's server uses. */
const name = `${randomUUID()}.txt`;
const bytes = randomBytes(3_000_000);

let copy: string;
let server: Server;
beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'tic-tac-toe-build-'));
  for (const part of ['dist/bundle', 'dist/client', 'dist/revision', 'package.json'])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(built(name), bytes);
  server = await startServer({ main: join(copy, 'dist/bundle/main.js') });
});
afterAll(async () => {
  await server.remove();
  rmSync(copy, { recursive: true });
});

const built = (path: string) => join(copy, 'dist/client', path);

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.origin + path, { headers: { 'accept-encoding': 'identity', ...headers } });

/** Sends the path as it is. fetch normalizes paths and forbids cached answers. */
async function ask(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const [response] = (await once(request(server.origin, { path, headers }).end(), 'response')) as [IncomingMessage];
  return response.resume();
}

describe('Files', () => {
  test('a file that disappears from disk is still served whole, whatever range is asked for', async () => {
    rmSync(built(name));
    const response = await get(`/${name}`, { range: 'bytes=0-9' });
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await fetch(`${server.origin}/health/ready`)).status).toBe(200);
  });

  test('answers a known tag with 304, and lets only hashed names be cached for long', async () => {
    const page = readFileSync(built('index.html'), 'utf8');
    const [script] = /\/assets\/[\w-]+\.js/.exec(page)!;
    for (const [path, keep] of [
      ['/', 'no-cache'],
      ['/sw.js', 'no-cache'],
      [script, 'public, max-age=31536000, immutable'],
    ] as const) {
      const first = await get(path);
      expect([first.status, first.headers.get('cache-control')]).toEqual([200, keep]);
      const again = await ask(path, { 'if-none-match': `W/"x", ${first.headers.get('etag')}` });
      expect([again.statusCode, again.headers['cache-control']]).toEqual([304, keep]);
    }
  });

  test('are compressed as the client accepts, each encoding with its own tag', async () => {
    const page = readFileSync(built('index.html'), 'utf8')
      .replaceAll('https://public-origin.invalid', server.origin)
      .replace('</head>', '<meta name="providers" content="google github" /></head>');
    const formsOf = ['gzip, deflate, br, zstd', 'gzip', 'br;q=0, gzip;q=0.5', 'identity', '*;q=0'].map(
      async (encodings) => {
        const response = await get('/', { 'accept-encoding': encodings });
        expect(response.headers.get('vary')).toContain('Accept-Encoding');
        expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
        // fetch decompresses.
        expect(await response.text()).toBe(page);
        return [response.headers.get('content-encoding'), response.headers.get('etag')] as const;
      },
    );
    const forms = await Promise.all(formsOf);
    expect(forms.map(([encoding]) => encoding)).toEqual(['br', 'gzip', 'gzip', null, null]);
    expect(new Set(forms.map(([, etag]) => etag)).size).toBe(3);
    const script = `/assets/${/assets\/([\w-]+\.js)/.exec(page)![1]!}`;
    const tags = ['br', 'gzip', 'identity'].map(async (encoding) =>
      (await get(script, { 'accept-encoding': encoding })).headers.get('etag'),
    );
    expect(new Set(await Promise.all(tags)).size).toBe(3);
  });

  test.each([
    '/../package.json',
    '/assets/../../server/main.js',
    '/%2e%2e/server/main.js',
    '/..%2fserver%2fmain.js',
    '/assets/..%5c..%5cserver%5cmain.js',
    '/index.html%00',
    '/%00/index.html',
    '/index.html.br',
    '/index.html.gz',
    '/assets',
    '/assets/',
    '//index.html',
    '/%c0%ae%c0%ae/package.json',
    '/%',
  ])('%s does not exist', async (path) => {
    expect((await ask(path)).statusCode).toBe(404);
  });
});
