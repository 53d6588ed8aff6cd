import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { Env } from '../../settings/env.js';
import type { ClientAddress } from '../requests/client-address.js';
import { hasCurrent, pathOf } from '../requests/request.js';
import { type Build, type BuiltFile, type Form, HASHED } from './build.js';
import { type Preview, withSettings, withWords } from './changes.js';
import { toPublicOrigin } from './public-origin.js';

/** The page reads the result of a sign-in here. */
export const CALLBACK_PATH = '/auth/callback';

/** The file of each page by its path, whose last slash may be missing. No page has a router. */
const PAGES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  [CALLBACK_PATH]: 'index.html',
  '/d/': 'index.html',
  '/p/': 'index.html',
  '/playground/': 'playground/index.html',
  '/moderation/': 'moderation/index.html',
  '/accessibility/': 'accessibility/index.html',
};

/** What the features give to the pages. */
export interface FromFeatures {
  /** Those at which players can sign in. */
  readonly providers: readonly string[];
  /** The words of the links below a path; null where the page says of itself what it always says. */
  readonly previews: Readonly<Record<'/d/' | '/p/', (link: string) => Promise<Preview | null>>>;
}

type Serving = FromFeatures & { readonly env: Env; readonly addresses: ClientAddress };

/** Makes a route of each file. @fastify/static reads the disk for each request, which takes three times as long. */
export function servePages(fastify: FastifyInstance, build: Build, { env, addresses, ...from }: Serving): void {
  const files = withSettings(build, env, from.providers);
  for (const [name, file] of files) {
    const config = { file: name.endsWith('.html') ? 'page' : 'file' } as const;
    fastify.get(`/${name}`, { config }, (request, reply) => sendFile(request, reply, file));
  }
  const page = { config: { file: 'page' }, preHandler: toPublicOrigin(env, addresses) } as const;
  for (const [path, name] of Object.entries(PAGES)) {
    const file = files.get(name);
    if (file) fastify.get(path, page, (request, reply) => sendFile(request, reply, file));
  }
  const game = files.get('index.html');
  if (!game) return;
  // The links of dares and of players. A cache asks before it shows the name of a player again, and no search finds it.
  for (const [path, previewOf] of Object.entries(from.previews))
    fastify.get(`${path}*`, page, async (request, reply) => {
      const link = pathOf(request.raw).slice(path.length);
      reply.header('X-Robots-Tag', 'noindex');
      // Also when the database does not answer, the page is as usual.
      const said = await previewOf(link).catch(() => null);
      if (!said) return sendFile(request, reply, game);
      return sendFile(request, reply, withWords(game, { ...said, url: env.publicOrigin + path + said.link }));
    });
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.graphql': 'text/plain; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};

function sendFile(request: FastifyRequest, reply: FastifyReply, { name, forms }: BuiltFile): FastifyReply {
  const { bytes, encoding, etag } = formFor(request, forms);
  reply.header('ETag', etag);
  reply.header('Cache-Control', HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (forms.length > 1) reply.raw.appendHeader('Vary', 'Accept-Encoding');
  if (hasCurrent(request, etag)) return reply.code(304).send();
  if (encoding) reply.header('Content-Encoding', encoding);
  return reply.type(TYPES[extname(name)] ?? 'application/octet-stream').send(bytes);
}

/** The smallest form that the client accepts. */
function formFor(request: FastifyRequest, forms: BuiltFile['forms']): Form {
  const accepted = new Negotiator(request).encodings(forms.flatMap(({ encoding }) => encoding ?? []));
  return forms.findLast(({ encoding }) => encoding && accepted.includes(encoding)) ?? forms[0];
}
