import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { Env } from '../../settings/env.js';
import { escaped } from '../answers/plain-page.js';
import type { ClientAddress } from '../requests/client-address.js';
import { contextOf, hasCurrent, pathOf } from '../requests/request.js';
import { toPublicOrigin } from './public-origin.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the log calls the route of a file. */
    file?: 'page' | 'file';
  }
}

/** The page reads the result of a sign-in here. */
export const CALLBACK_PATH = '/auth/callback';

/** The file of each page by its path. No page has a router. */
const PAGES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  [CALLBACK_PATH]: 'index.html',
  '/playground': 'playground/index.html',
  '/moderation': 'moderation/index.html',
};

/** What a link says of itself where it is shared. */
export interface Preview {
  readonly title: string;
  readonly description: string;
}

/** Stands in the built page for our origin: addresses in the data of a shared link must be absolute. */
const ORIGIN_TO_COME = /https:\/\/public-origin\.invalid/g;

/** Vite puts a hash of the content into these names, so their content never changes. */
const HASHED = /^assets\//;

interface Serving {
  readonly env: Env;
  readonly addresses: ClientAddress;
  /** Those at which players can sign in. */
  readonly providers: readonly string[];
  /** The words of a link to a dare; null where the page says of itself what it always says. */
  readonly previewOf: (link: string, address: string) => Promise<Preview | null>;
}

/**
 * Serves the built pages from memory, so that a file that is deleted meanwhile does no harm, and a request opens none.
 * @fastify/static reads the disk for each request, which takes three times as long.
 * @param folder the output of `npm run build:client`
 */
export function servePages(fastify: FastifyInstance, folder: string, { env, addresses, ...from }: Serving): void {
  if (!existsSync(folder)) return;
  const files = readBuiltFiles(folder);
  const built = revisionOf(files);
  for (const name of new Set(Object.values(PAGES)))
    edit(files, name, (html) => withSettings(html, env, from.providers));
  // Otherwise a browser would keep the page of earlier settings until the next version.
  edit(files, 'sw.js', (worker) => worker.replace(built, revisionOf(files)));

  for (const [name, file] of files) {
    const config = { file: name.endsWith('.html') ? 'page' : 'file' } as const;
    fastify.get(`/${name}`, { config }, (request, reply) => sendFile(request, reply, file));
  }
  const page = { config: { file: 'page' }, preHandler: toPublicOrigin(env, addresses) } as const;
  for (const [path, name] of Object.entries(PAGES)) {
    const file = files.get(name);
    if (file) fastify.get(path, page, (request, reply) => sendFile(request, reply, file));
  }
  const game = files.get('index.html')!;
  // The link of a dare. A cache asks before it shows the name of a player again.
  fastify.get('/d/*', page, async (request, reply) => {
    const path = pathOf(request.raw);
    // Also when the database does not answer, the page is as usual.
    const said = await from.previewOf(path.slice('/d/'.length), contextOf(request.raw).address).catch(() => null);
    return sendFile(request, reply, said ? withWords(game, { ...said, url: env.publicOrigin + path }) : game);
  });
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

function sendFile(request: FastifyRequest, reply: FastifyReply, { name, forms }: BuiltFile): FastifyReply {
  const { bytes, encoding, etag } = formFor(request, forms);
  reply.header('ETag', etag);
  reply.header('Cache-Control', HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache');
  // @fastify/cors has set one.
  if (forms.length > 1) reply.header('Vary', `${String(reply.getHeader('Vary'))}, Accept-Encoding`);
  if (hasCurrent(request, etag)) return reply.code(304).send();
  if (encoding) reply.header('Content-Encoding', encoding);
  return reply.type(TYPES[extname(name)] ?? 'application/octet-stream').send(bytes);
}

/** The hashes of the inline scripts or styles of the built pages, as sources of a content security policy. */
export function inlineHashes(folder: string, element: 'script' | 'style'): string[] {
  const pages = [...new Set(Object.values(PAGES))].map((name) => join(folder, name)).filter(existsSync);
  const inline = new RegExp(`<${element}>(.*?)</${element}>`, 'gs');
  const found = pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(inline)]);
  const hashes = found.map(([, text = '']) => createHash('sha256').update(text).digest('base64'));
  return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
}

/** A file in one encoding, with its strong entity tag. */
interface Form {
  readonly encoding?: Encoding;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** A file of the page. `name` is its path in the folder, with slashes. */
interface BuiltFile {
  readonly name: string;
  /** Uncompressed first, then the compressed forms, the smallest last. */
  readonly forms: readonly [Form, ...Form[]];
}

/** The compressed forms that the build writes, from the largest to the smallest. */
const ENDINGS = { gzip: '.gz', br: '.br' };
type Encoding = keyof typeof ENDINGS;
const COMPRESSED = Object.entries(ENDINGS) as [Encoding, string][];

const compress = (bytes: Buffer, encoding?: Encoding): Buffer =>
  encoding === 'br' ? brotliCompressSync(bytes) : gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });

/** Files such as `.DS_Store` are not part of the page. */
const HIDDEN = /(^|\/)\.(?!well-known\/)/;

function readBuiltFiles(folder: string): Map<string, BuiltFile> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  const names = new Set(files.map((path) => path.replaceAll('\\', '/')));
  const isCompressed = (name: string) =>
    COMPRESSED.some(([, ending]) => name.endsWith(ending) && names.has(name.slice(0, -ending.length)));
  const read = (name: string, encoding?: Encoding) => toForm(readFileSync(join(folder, name)), encoding);
  return new Map(
    [...names]
      .filter((name) => !HIDDEN.test(name) && !isCompressed(name))
      .map((name) => {
        const compressed = COMPRESSED.filter(([, ending]) => names.has(name + ending));
        const forms = compressed.map(([encoding, ending]) => read(name + ending, encoding));
        return [name, { name, forms: [read(name), ...forms] }];
      }),
  );
}

/** The settings that the page needs before its first request: client/data/settings.ts reads them. */
function withSettings(html: string, env: Env, providers: readonly string[]): string {
  const link = (rel: string, href?: string) => (href ? `<link rel="${rel}" href="${escaped(href)}" />` : '');
  const links = link('privacy-policy', env.privacyUrl) + link('help', env.securityContact);
  const settings = `<meta name="providers" content="${providers.join(' ')}" />${links}`;
  return html.replace(ORIGIN_TO_COME, env.publicOrigin).replace('</head>', () => `${settings}</head>`);
}

/** The page with other words where links are shared. It is small, so it is not compressed anew for each link. */
function withWords({ name, forms: [{ bytes }] }: BuiltFile, words: Preview & { readonly url: string }): BuiltFile {
  const meta = /(<meta\s+(?:name|property)="(?:(?:og|twitter):)?(title|description|url)"\s+content=")[^"]*/g;
  const put = (_: string, start: string, name: keyof typeof words) => start + escaped(words[name]);
  return { name, forms: [toForm(Buffer.from(bytes.toString().replace(meta, put)))] };
}

/** The revision of the page, as scripts/build/precache-manifest.js writes it into the service worker. */
function revisionOf(files: ReadonlyMap<string, BuiltFile>): string {
  const bytes = files.get('index.html')?.forms[0].bytes ?? '';
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

function edit(files: Map<string, BuiltFile>, name: string, change: (text: string) => string): void {
  const file = files.get(name);
  if (!file) return;
  const [{ bytes }, ...compressed] = file.forms;
  const changed = Buffer.from(change(bytes.toString()));
  const forms = compressed.map(({ encoding }) => toForm(compress(changed, encoding), encoding));
  files.set(name, { name, forms: [toForm(changed), ...forms] });
}

function toForm(bytes: Buffer, encoding?: Encoding): Form {
  return { encoding, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

/** The smallest form that the client accepts. */
function formFor(request: FastifyRequest, forms: BuiltFile['forms']): Form {
  const accepted = new Negotiator(request).encodings(forms.flatMap(({ encoding }) => encoding ?? []));
  return forms.findLast(({ encoding }) => encoding && accepted.includes(encoding)) ?? forms[0];
}
