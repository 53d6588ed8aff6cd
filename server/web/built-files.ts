import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request } from 'express';

/** The bytes of a file in one encoding, and the strong tag that follows from them. */
export interface Form {
  readonly encoding?: Encoding;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** A file of the page. `name` is its path in the folder, with slashes. */
export interface BuiltFile {
  readonly name: string;
  /** As it is, then compressed where the build has done so: the smallest last. */
  readonly forms: readonly [Form, ...Form[]];
}

/** What the build writes beside a file, from the largest to the smallest. */
const COMPRESSED = [
  ['gzip', '.gz'],
  ['br', '.br'],
] as const;
type Encoding = (typeof COMPRESSED)[number][0];

/** Files such as `.DS_Store` are not a part of the page. */
const HIDDEN = /(^|\/)\.(?!well-known\/)/;

/**
 * Reads a folder into memory, by name. A request then opens no file: whoever goes away in the middle of an answer leaves
 * nothing open, and a file that goes away is not missed.
 */
export function readBuiltFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = new Set(
    entries.map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    ),
  );
  const isCompressed = (name: string) =>
    COMPRESSED.some(([, ending]) => name.endsWith(ending) && names.has(name.slice(0, -ending.length)));
  const read = (name: string, encoding?: Encoding): Form => {
    const bytes = readFileSync(join(folder, name));
    return { encoding, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
  };
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

/** The smallest form that the sender takes. */
export function formFor(request: Request, { forms }: BuiltFile): Form {
  return forms.findLast(({ encoding }) => encoding && request.acceptsEncodings(encoding) === encoding) ?? forms[0];
}

/**
 * The part of a form that is asked for: undefined for the whole, also where several parts are asked for or the form has
 * changed since; `none` where there is no such part.
 */
export function partOf(request: Request, { bytes, etag }: Form): { start: number; end: number } | 'none' | undefined {
  const { range, 'if-range': ifRange } = request.headers;
  if (request.method !== 'GET' || !range?.startsWith('bytes=') || (ifRange && ifRange !== etag)) return undefined;
  const parts = request.range(bytes.length);
  if (parts === -1) return 'none';
  return Array.isArray(parts) && parts.length === 1 ? parts[0] : undefined;
}
