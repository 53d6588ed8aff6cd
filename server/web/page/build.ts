import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** The compressed forms that the build writes, from the largest to the smallest. */
const COMPRESSED = [
  ['gzip', '.gz'],
  ['br', '.br'],
] as const;
type Encoding = (typeof COMPRESSED)[number][0];

/** A file in one encoding, with its strong entity tag. */
export interface Form {
  readonly encoding?: Encoding;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** A file of the page. `name` is its path in the folder, with slashes. */
export interface BuiltFile {
  readonly name: string;
  /** Uncompressed first, then the compressed forms, the smallest last. */
  readonly forms: readonly [Form, ...Form[]];
}

/** The files by name. */
export type Build = ReadonlyMap<string, BuiltFile>;

/** Vite puts a hash of the content into these names, so their content never changes. */
export const HASHED = /^assets\//;

/** Not files of their own: the compressed forms, and files such as `.DS_Store`. */
const OTHERS = /\.(gz|br)$|(^|\/)\.(?!well-known\/)/;

/**
 * Reads the page into memory, so that a file that is deleted meanwhile does no harm, and a request opens none.
 * @param folder the output of `npm run build:client`; without it there is no page
 */
export function readBuild(folder: string): Build {
  if (!existsSync(folder)) return new Map();
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  const names = new Set(files.map((path) => path.replaceAll('\\', '/')));
  // A hashed name is tag enough: to hash all 14 MB of the page takes a twentieth of a start.
  const read = (name: string, encoding?: Encoding) =>
    toForm(readFileSync(join(folder, name)), encoding, HASHED.test(name) ? name : undefined);
  const formsOf = (name: string): BuiltFile['forms'] => {
    const compressed = COMPRESSED.filter(([, ending]) => names.has(name + ending));
    return [read(name), ...compressed.map(([encoding, ending]) => read(name + ending, encoding))];
  };
  const own = [...names].filter((name) => !OTHERS.test(name));
  return new Map(own.map((name) => [name, { name, forms: formsOf(name) }]));
}

export const textOf = ({ forms: [{ bytes }] }: BuiltFile): string => bytes.toString();

/** The file with another text, in the same encodings. */
export function withText({ name, forms: [, ...compressed] }: BuiltFile, text: string): BuiltFile {
  const bytes = Buffer.from(text);
  return {
    name,
    forms: [toForm(bytes), ...compressed.map(({ encoding }) => toForm(compress(bytes, encoding), encoding))],
  };
}

function toForm(
  bytes: Buffer,
  encoding?: Encoding,
  tag = createHash('sha256').update(bytes).digest('base64url'),
): Form {
  return { encoding, bytes, etag: `"${tag}"` };
}

const compress = (bytes: Buffer, encoding?: Encoding): Buffer =>
  encoding === 'br' ? brotliCompressSync(bytes) : gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });

/** The hashes of the inline scripts or styles of the pages, as sources of a content security policy. */
export const inlineHashes =
  (build: Build) =>
  (element: 'script' | 'style'): string[] => {
    const inline = new RegExp(`<${element}>(.*?)</${element}>`, 'gs');
    const pages = [...build.values()].filter(({ name }) => name.endsWith('.html'));
    const found = pages.flatMap((page) => [...textOf(page).matchAll(inline)]);
    const hashes = found.map(([, text = '']) => createHash('sha256').update(text).digest('base64'));
    return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
  };
