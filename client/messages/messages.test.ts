import { expect, it } from '@jest/globals';
import { links, messages as account } from './account.js';
import { messages as challenge } from './challenge.js';
import { messages as game } from './game.js';
import { messages as leaderboard } from './leaderboard.js';
import { messages as login } from './login.js';
import { messages as replay } from './replay.js';
import { tokens } from './playground.js';

/** All texts, and the source of those with a variable part. */
function textsOf(messages: unknown): string[] {
  if (typeof messages === 'object' && messages !== null) return Object.values(messages).flatMap(textsOf);
  return [String(messages)];
}

const all = Object.entries({ account, challenge, game, leaderboard, links, login, replay, tokens });

it.each(all)('the messages %s have one kind of apostrophe', (_, messages) => {
  const texts = textsOf(messages);
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.filter((text) => /[’‘ʼ]/.test(text))).toEqual([]);
});

/** A number, a formatted one, a list, a date. */
const ONES = [1, '1', ['1'], new Date(1)];

const listsOf = (length: number, values: readonly unknown[]): unknown[][] =>
  length === 0 ? [[]] : listsOf(length - 1, values).flatMap((list) => values.map((value) => [...list, value]));

/** The variable texts with 1 in each place. */
function textsWithOne(messages: unknown): string[] {
  if (typeof messages === 'object' && messages !== null) return Object.values(messages).flatMap(textsWithOne);
  if (typeof messages !== 'function') return [];
  const message = messages as (...values: unknown[]) => string;
  const textsOf = (values: readonly unknown[]) =>
    listsOf(messages.length, values).flatMap((list) => {
      try {
        return [message(...list)];
      } catch {
        return [];
      }
    });
  // Some need a difficulty.
  const texts = [textsOf(ONES), textsOf([...ONES, 'easy'])].find(({ length }) => length > 0);
  if (!texts) throw new Error(`no text with 1s: ${String(messages)}`);
  return texts;
}

it.each(all)('the messages %s have no plural after 1, or as the word for 1', (_, messages) => {
  const plural = /(?<![\d.,:])1 (?!is\b)[a-z]+s\b|^[a-z]+s$/i;
  expect(textsWithOne(messages).filter((text) => plural.test(text))).toEqual([]);
});

it('a name stands in a sentence as the player has typed it', () => {
  const name = String.raw`\u202e <0>name</0> \x41 {name}`;
  const owner = { name, games: 2, isOnlyOne: false };
  for (const sentence of [
    game.openAccount(name),
    account.name.done(name),
    links.refusal('google', { reason: 'already_linked', owner }),
    links.refusal('google', { reason: 'already_linked', owner: { ...owner, isOnlyOne: true } }),
  ])
    expect(sentence).toContain(name);
});
