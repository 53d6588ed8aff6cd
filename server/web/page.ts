import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import sirv from 'sirv';

/** The addresses at which the single page answers; it has no router. */
export const PAGE_PATHS: ReadonlySet<string> = new Set(['/', '/auth/callback']);

/** Vite puts a hash of the content into these names, so what is behind one never changes. */
const HASHED = /^\/assets\//;

/**
 * The built page and playground, compressed at build time.
 * @param folder where `npm run build:client` has put them
 */
export function builtPages(folder: string): RequestHandler[] {
  if (!existsSync(folder)) return [];
  const files = sirv(folder, { etag: true, gzip: true, brotli: true, setHeaders: setCaching });
  return [toPage, leadBrowsersToPlayground, files as RequestHandler];
}

/** The hashes of the scripts that stand in the built pages themselves, as a content security policy names them. */
export function inlineScripts(folder: string): string[] {
  const pages = ['index.html', 'playground/index.html'].map((page) => join(folder, page)).filter(existsSync);
  const scripts = pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/<script>(.*?)<\/script>/gs)]);
  const hashes = scripts.map(([, text = '']) => createHash('sha256').update(text).digest('base64'));
  return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
}

function setCaching(response: ServerResponse, path: string): void {
  response.setHeader('Cache-Control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
}

const toPage: RequestHandler = (request, _response, next) => {
  if ((request.method === 'GET' || request.method === 'HEAD') && PAGE_PATHS.has(request.path)) request.url = '/';
  next();
};

/** A person who opens the API's address gets the place to try it; programs ask for JSON and get the API. */
const leadBrowsersToPlayground: RequestHandler = (request, response, next) => {
  const opened = request.method === 'GET' && request.path === '/graphql' && !request.query.query;
  if (opened && request.accepts(['json', 'html']) === 'html') response.redirect(302, '/playground/');
  else next();
};
