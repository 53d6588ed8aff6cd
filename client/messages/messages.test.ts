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

it.each(Object.entries({ account, challenge, game, leaderboard, links, login, replay, tokens }))(
  'the messages %s have one kind of apostrophe',
  (_, messages) => {
    const texts = textsOf(messages);
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text) => /[’‘ʼ]/.test(text))).toEqual([]);
  },
);
