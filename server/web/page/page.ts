import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import Negotiator from 'negotiator';
import type { Env } from '../../settings/env.js';
import { hasCurrent, type Middleware, prefersHtml, redirect } from '../answers/answers.js';
import { contextOf, pathOf } from '../requests/request.js';
import { wrongMethod } from '../answers/problems.js';
import type { ClientAddress } from '../requests/client-address.js';
import { escaped } from '../answers/plain-page.js';

/** The page reads the result of a sign-in here. */
export const CALLBACK_PATH = '/auth/callback';

/** The file of each page by its paths. No page has a router. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ['/', 'index.html'],
  [CALLBACK_PATH, 'index.html'],
  ...['playground', 'moderation'].flatMap((name) =>
    [`/${name}`, `/${name}/`].map((path) => [path, `${name}/index.html`] as const),
  ),
]);

/** The page behind the link of a dare. */
const DARE = /^\/d\/(.*)$/;

/** What a link says of itself where it is shared. */
export interface Preview {
  readonly title: string;
  readonly description: string;
}

/** @returns null where the page says of itself what it always says */
export type PreviewOf = (link: string, address: string) => Promise<Preview | null>;

/** Stands in the built page for our origin: addresses in the data of a shared link must be absolute. */
const ORIGIN_TO_COME = /https:\/\/public-origin\.invalid/g;

/** Vite puts a hash of the content into these names, so their content never changes. */
const HASHED = /^assets\//;

/**
 * Serves the built pages from memory, so that all files belong to the build that the server started with.
 * @param folder the output of `npm run build:client`
 * @param providers those at which players can sign in
 * @param previewOf the words of a link to a dare
 */
export function builtPages(folder: string, env: Env, providers: readonly string[], previewOf: PreviewOf): Middleware[] {
  if (!existsSync(folder)) return [];
  const files = readBuiltFiles(folder);
  const built = revisionOf(files);
  for (const name of new Set(PAGES.values())) edit(files, name, (html) => withSettings(html, env, providers));
  // Otherwise a browser would keep the page of earlier settings until the next version.
  edit(files, 'sw.js', (worker) => worker.replace(built, revisionOf(files)));
  return [leadBrowsersToPlayground, previewDares(files.get('index.html')!, env, previewOf), serve(byAddress(files))];
}

/** The hashes of the inline scripts or styles of the built pages, as sources of a content security policy. */
export function inlineHashes(folder: string, element: 'script' | 'style'): string[] {
  const pages = [...new Set(PAGES.values())].map((name) => join(folder, name)).filter(existsSync);
  const inline = new RegExp(`<${element}>(.*?)</${element}>`, 'gs');
  const found = pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(inline)]);
  const hashes = found.map(([, text = '']) => createHash('sha256').update(text).digest('base64'));
  return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
}

function byAddress(files: ReadonlyMap<string, BuiltFile>): ReadonlyMap<string, BuiltFile> {
  const addresses = new Map([...files].map(([name, file]) => [`/${name}`, file]));
  for (const [path, name] of PAGES) {
    const page = files.get(name);
    if (page) addresses.set(path, page);
  }
  return addresses;
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

function serve(files: ReadonlyMap<string, BuiltFile>): Middleware {
  return (request, response, next) => {
    const file = dares.get(request) ?? files.get(decodeURIComponent(pathOf(request)));
    if (!file) return next();
    contextOf(request).route = file.name.endsWith('.html') ? 'page' : 'file';
    if (request.method !== 'GET' && request.method !== 'HEAD') return next(wrongMethod(['GET', 'HEAD']));

    const form = formFor(request, file);
    response.setHeader('ETag', form.etag);
    if (file.forms.length > 1) response.appendHeader('Vary', 'Accept-Encoding');
    response.setHeader('Cache-Control', HASHED.test(file.name) ? 'public, max-age=31536000, immutable' : 'no-cache');
    if (hasCurrent(request, form.etag)) return void response.writeHead(304).end();
    response.setHeader('Content-Type', TYPES[extname(file.name)] ?? 'application/octet-stream');
    if (form.encoding) response.setHeader('Content-Encoding', form.encoding);
    response.setHeader('Content-Length', form.bytes.length).end(form.bytes);
  };
}

const dares = new WeakMap<IncomingMessage, BuiltFile>();

/**
 * Without a preview, also because the database does not answer, the page is as usual. A cache asks before it shows the name of
 * a player again. The next step sends it, and ends the turn: a slow reader keeps none.
 */
function previewDares(page: BuiltFile, { publicOrigin }: Env, previewOf: PreviewOf): Middleware {
  return (request, _response, next) => {
    const [, link] = DARE.exec(pathOf(request)) ?? [];
    if (link === undefined) return next();
    const preview = previewOf(link, contextOf(request).address).catch(() => null);
    const url = publicOrigin + pathOf(request);
    const keep = (said: Preview | null) => dares.set(request, said ? withWords(page, { ...said, url }) : page);
    void preview.then(keep).then(() => next());
  };
}

/** Redirects a browser that opens the API's address to the playground. Programs ask for JSON and get the API. */
const leadBrowsersToPlayground: Middleware = (request, response, next) => {
  const { method, url = '/' } = request;
  const opened = method === 'GET' && pathOf(request) === '/graphql' && !new URLSearchParams(url.slice(8)).get('query');
  if (!opened || !prefersHtml(request)) return next();
  response.setHeader('Vary', 'Accept');
  redirect(response, '/playground/');
};

/** Marks a browser that was just redirected. If it returns, a proxy hides the public origin from us. */
const SENT_ON = 'sent_on=1';
const SENT_ON_SECONDS = 10;

/**
 * Redirects a browser that opens the page by another name of this server, such as 127.0.0.1 for localhost. It could never
 * sign in there, because cookies and storage belong to one host. Programs are not redirected, for instance health checks.
 */
export function toPublicOrigin({ publicOrigin }: Env, addresses: ClientAddress): Middleware {
  const { host, protocol } = new URL(publicOrigin);
  const usualPort = protocol === 'https:' ? /:443$/ : /:80$/;
  return (request, response, next) => {
    const { method, headers, url = '/' } = request;
    const path = pathOf(request);
    const opensPage =
      (method === 'GET' || method === 'HEAD') &&
      (PAGES.has(path) || DARE.test(path)) &&
      headers.accept?.includes('text/html');
    // Behind a trusted proxy this is the host that the browser asked for.
    if (!opensPage || addresses.hostOf(request)?.toLowerCase().replace(usualPort, '') === host) return next();
    // A proxy that replaces the Host header would cause a redirect loop.
    if (headers.cookie?.includes(SENT_ON)) return next();
    response.setHeader('Set-Cookie', `${SENT_ON}; Max-Age=${SENT_ON_SECONDS}; Path=/; HttpOnly; SameSite=Lax`);
    response.setHeader('Cache-Control', 'no-store');
    redirect(response, publicOrigin + path + searchOf(url));
  };
}

function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : encodeURI(url.slice(start)).replaceAll('%25', '%');
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

/** Reads a folder into memory, so that a request opens no file and a deleted file does no harm. */
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
function formFor(request: IncomingMessage, { forms }: BuiltFile): Form {
  const accepted = new Negotiator(request).encodings(forms.flatMap(({ encoding }) => encoding ?? []));
  return forms.findLast(({ encoding }) => encoding && accepted.includes(encoding)) ?? forms[0];
}
