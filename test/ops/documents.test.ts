import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => /\.(md|js|tsx?|graphql|ya?ml|example)$/.test(file) && existsSync(file));

/** What GitHub makes of each heading: no code blocks, small letters, no punctuation, hyphens for spaces. */
const anchorsIn = (text: string) =>
  [...text.replace(/^ *```.*?^ *```$/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The links of a document, and what other files say of `docs/`. */
function targetsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.md'))
    return [...text.matchAll(/(?<![\w/.])docs\/[\w./-]+\.md(?:#[\w-]+)?/g)].map(([path]) => path);
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^\w+:/.test(target))
    .map((target) => (target.startsWith('#') ? file + target : join(dirname(file), target)));
}

test('every link of a document leads to a file and a heading, and so does each document that code names', () => {
  const missing = files.flatMap((file) =>
    targetsIn(file)
      .filter((target) => {
        const [path, anchor] = target.split('#');
        return !existsSync(path!) || (anchor && !anchorsIn(readFileSync(path!, 'utf8')).includes(anchor));
      })
      .map((target) => `${file}: ${target}`),
  );
  expect(missing).toEqual([]);
});

test('each criterion of accessibility is watched by a test that exists', () => {
  const rows = readFileSync('docs/accessibility.md', 'utf8').matchAll(/^\| \d\.\d\.\d+ .* `(\S+)`: (.*?) +\|$/gm);
  const watched = [...rows].map(([, file, title]) => ({ file: file!, title: title! }));
  // Those of WCAG 2.2, levels A and AA, but for six about recordings and motion.
  expect(watched).toHaveLength(49);
  expect(watched.filter(({ file, title }) => !readFileSync(file, 'utf8').includes(title))).toEqual([]);
});

test('every source file that a page names exists', () => {
  const missing = files
    .filter((file) => /^(docs\/[a-z]+|CONTRIBUTING)\.md$/.test(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/`([\w.-][\w./-]+\.(?:tsx?|js|graphql))`/g)]
        .map(([, name]) => name!)
        .filter((name) => !files.some((path) => `/${path}`.endsWith(`/${name}`)))
        .map((name) => `${file}: ${name}`),
    );
  expect(missing).toEqual([]);
});
