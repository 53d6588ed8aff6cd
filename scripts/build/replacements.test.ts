import { expect, test } from '@jest/globals';
import { replacer } from './replacements.js';

const REPLACEMENTS = [
  { pattern: /\bold\b/g, by: 'new', because: 'The old one is slow.' },
  { pattern: /^first$/gm, by: '', because: 'The first one is too many.' },
];

test('replaces all matches in all files', () => {
  const { replaceIn, expectAllUsed } = replacer(REPLACEMENTS);

  expect(replaceIn('old and old, not older')).toBe('new and new, not older');
  expect(replaceIn('nothing here')).toBe('nothing here');
  expect(replaceIn('one\nfirst\ntwo')).toBe('one\n\ntwo');
  expect(expectAllUsed).not.toThrow();
});

test('fails when a replacement matches in no file, and says what to do', () => {
  const { replaceIn, expectAllUsed } = replacer(REPLACEMENTS);

  replaceIn('old');

  expect(expectAllUsed).toThrow(
    /\/\^first\$\/gm .* The first one is too many\. .* adapt the pattern .* else delete it/,
  );
});
