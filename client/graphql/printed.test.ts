import { expect, it } from '@jest/globals';
import { addTypenameToDocument } from '@apollo/client/utilities';
import { parse, stripIgnoredCharacters, print as printTree } from 'graphql';
import type { DocumentNode } from 'graphql';
import * as generated from './generated.js';
import { print } from './printed.js';

const documents = Object.entries(generated).filter(([name]) => name.endsWith('Document'));

it.each(documents)('%s carries its text, as Apollo sends it', (_, document) => {
  const sent = addTypenameToDocument(document as DocumentNode);
  expect(print(sent)).toBe(stripIgnoredCharacters(printTree(sent)));
  expect(() => parse(print(sent))).not.toThrow();
});

it('A document without a text is a mistake that is told', () => {
  expect(() => print({ kind: 'Document', definitions: [] } as unknown as DocumentNode)).toThrow('generated.ts');
});

it.each(documents)('%s uses no directives, which the built page would send as they are', (_, document) => {
  expect(print(document as DocumentNode)).not.toContain('@');
});
