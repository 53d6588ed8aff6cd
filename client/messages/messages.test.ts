import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { setupI18n } from '@lingui/core';
import { refusedLink } from '../account/words.js';

/** Every sentence of the page: each catalog has them all. */
const catalog = readFileSync('client/messages/locales/de.po', 'utf8');
const sentences = [...catalog.matchAll(/^msgid (".+")$/gm)].map(([, text]) => JSON.parse(text!) as string);

it('has one kind of apostrophe', () => {
  expect(sentences.length).toBeGreaterThan(300);
  expect(sentences.filter((sentence) => /[’‘ʼ]/.test(sentence))).toEqual([]);
});

it('has no plural after 1, or as the word for 1', () => {
  const i18n = setupI18n({ locale: 'en-GB', messages: { 'en-GB': {} } });
  const ones = new Proxy({}, { getOwnPropertyDescriptor: () => ({ value: 1, configurable: true }), get: () => 1 });
  const withOne = sentences.filter((sentence) => /\{(?!who)/.test(sentence)).map((sentence) => i18n._(sentence, ones));
  expect(withOne.length).toBeGreaterThan(50);
  expect(withOne.filter((text) => /(?<![\d.,:])1 (?!is\b)[a-z]+s\b|^[a-z]+s$/i.test(text))).toEqual([]);
});

it('keeps a name in a sentence as the player has typed it', () => {
  const name = String.raw`\u202e <0>name</0> \x41 {name}`;
  for (const isOnlyOne of [false, true])
    expect(refusedLink('google', { reason: 'already_linked', owner: { name, games: 2, isOnlyOne } })).toContain(name);
});
