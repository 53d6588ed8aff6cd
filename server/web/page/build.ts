import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** The compressed forms that the build writes, from the largest to the smallest. */
const ENDINGS = { gzip: '.gz', br: '.br' };
type Encoding = keyof typeof ENDINGS;
const COMPRESSED = Object.entries(ENDINGS) as [Encoding, string][];

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

/** Files such as `.DS_Store` are not part of the page. */
const HIDDEN = /(^|\/)\.(?!well-known\/)/;

/**
 * Reads the page into memory, so that a file that is deleted meanwhile does no harm, and a request opens none.
 * @param folder the output of `npm run build:client`; without it there is no page
 */
export function readBuild(folder: string): Build {
  if (!existsSync(folder)) return new Map();
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

export const textOf = ({ forms: [{ bytes }] }: BuiltFile): string => bytes.toString();

/** The file with another text, in the same encodings. */
export function withText({ name, forms: [, ...compressed] }: BuiltFile, text: string): BuiltFile {
  const bytes = Buffer.from(text);
  return {
    name,
    forms: [toForm(bytes), ...compressed.map(({ encoding }) => toForm(compress(bytes, encoding), encoding))],
  };
}

function toForm(bytes: Buffer, encoding?: Encoding): Form {
  return { encoding, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
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
