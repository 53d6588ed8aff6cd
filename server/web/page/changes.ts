import { createHash } from 'node:crypto';
import type { Env } from '../../settings/env.js';
import { escaped } from '../answers/plain-page.js';
import { type Build, type BuiltFile, textOf, withText } from './build.js';

/** What a link says of itself where it is shared. */
export interface Preview {
  readonly title: string;
  readonly description: string;
  /** The link itself, without what a sentence has put behind it. */
  readonly link: string;
}

/** Stands in the built page for our origin: addresses in the data of a shared link must be absolute. */
const ORIGIN_TO_COME = /https:\/\/public-origin\.invalid/g;

/**
 * The build as this server serves it: the pages with its settings, and the service worker with their revision. Otherwise a browser
 * would keep the page of earlier settings until the next version.
 */
export function withSettings(build: Build, env: Env, providers: readonly string[]): Build {
  const change = (file: BuiltFile): BuiltFile =>
    file.name.endsWith('.html') ? withText(file, htmlWithSettings(textOf(file), env, providers)) : file;
  const files = new Map([...build].map(([name, file]) => [name, change(file)]));
  const worker = files.get('sw.js');
  if (worker) files.set('sw.js', withText(worker, textOf(worker).replace(revisionOf(build), revisionOf(files))));
  return files;
}

/** The settings that the page needs before its first request: client/data/settings.ts reads them. The statement of accessibility links to the operator. */
function htmlWithSettings(html: string, env: Env, providers: readonly string[]): string {
  const link = (rel: string, href?: string) => (href ? `<link rel="${rel}" href="${escaped(href)}" />` : '');
  const links = link('privacy-policy', env.privacyUrl) + link('help', env.securityContact);
  const meta = (name: string, content?: string) =>
    content === undefined ? '' : `<meta name="${name}" content="${escaped(content)}" />`;
  const settings = meta('providers', providers.join(' ')) + meta('oidc-name', env.oidc?.name) + links;
  return html
    .replace(ORIGIN_TO_COME, env.publicOrigin)
    .replace('</head>', () => `${settings}</head>`)
    .replace('id="operator"', (id) => (env.securityContact ? `href="${escaped(env.securityContact)}"` : id));
}

/** The revision of the page, as scripts/build/precache-manifest.js writes it into the service worker. */
function revisionOf(build: Build): string {
  const bytes = build.get('index.html')?.forms[0].bytes ?? '';
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}

/** The page with other words where links are shared. It is small, so it is not compressed anew for each link. */
export function withWords({ name, forms: [form] }: BuiltFile, words: Preview & { readonly url: string }): BuiltFile {
  const page: BuiltFile = { name, forms: [form] };
  const meta = /(<meta\s+(?:name|property)="(?:(?:og|twitter):)?(title|description|url)"\s+content=")[^"]*/g;
  const put = (_: string, start: string, name: keyof typeof words) => start + escaped(words[name]);
  return withText(page, textOf(page).replace(meta, put));
}
