import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import Negotiator from 'negotiator';

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

/** The compressed forms that the build writes, from the largest to the smallest. */
const COMPRESSED = [
  ['gzip', '.gz'],
  ['br', '.br'],
] as const;
type Encoding = (typeof COMPRESSED)[number][0];

const COMPRESS: Readonly<Record<Encoding, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }),
  br: (bytes) => brotliCompressSync(bytes),
};

/** Files such as `.DS_Store` are not part of the page. */
const HIDDEN = /(^|\/)\.(?!well-known\/)/;

/** Reads a folder into memory, so that a request opens no file and a deleted file does no harm. */
export function readBuiltFiles(folder: string): Map<string, BuiltFile> {
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

/** The same file with another text. */
export function withText({ name, forms }: BuiltFile, change: (text: string) => string): BuiltFile {
  const [{ bytes }, ...compressed] = forms;
  const changed = Buffer.from(change(bytes.toString()));
  return {
    name,
    forms: [toForm(changed), ...compressed.map(({ encoding }) => toForm(COMPRESS[encoding!](changed), encoding))],
  };
}

function toForm(bytes: Buffer, encoding?: Encoding): Form {
  return { encoding, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

/** The smallest form that the client accepts. */
export function formFor(request: IncomingMessage, { forms }: BuiltFile): Form {
  const accepted = new Negotiator(request).encodings(forms.flatMap(({ encoding }) => encoding ?? []));
  return forms.findLast(({ encoding }) => encoding && accepted.includes(encoding)) ?? forms[0];
}
