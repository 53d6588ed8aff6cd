import { expect, test } from '@jest/globals';
import { replacer } from './replacements.js';

const REPLACEMENTS = [
  { pattern: /\bold\b/g, by: 'new', because: 'The old one is slow.' },
  { pattern: /^first$/gm, by: '', because: 'The first one is too many.' },
];

test('replaces all matches in all files', () => {
  const changes = replacer(REPLACEMENTS);

  expect(changes.replaceIn('old and old, not older')).toBe('new and new, not older');
  expect(changes.replaceIn('nothing here')).toBe('nothing here');
  expect(changes.replaceIn('one\nfirst\ntwo')).toBe('one\n\ntwo');
  expect(() => changes.expectAllUsed()).not.toThrow();
});

test('fails when a replacement matches in no file, and says what to do', () => {
  const changes = replacer(REPLACEMENTS);

  changes.replaceIn('old');

  expect(() => changes.expectAllUsed()).toThrow(
    /\/\^first\$\/gm .* The first one is too many\. .* adapt the pattern .* else delete it/,
  );
});
