import { expect, test } from '@jest/globals';
import { publicGameId, readPublicGameId } from './public-id.js';

const PLAYER = '0d0b7c0e-5f1a-4d8e-9b1c-2f3a4b5c6d7e';
const GAME = 'f3a4b5c6-d7e8-4f90-8a1b-2c3d4e5f6071';

test('a public id contains the player and the game', () => {
  const id = publicGameId(PLAYER, GAME);
  expect(id).toMatch(/^[\w-]{43}$/);
  expect(readPublicGameId(id)).toEqual({ playerId: PLAYER, id: GAME });
});

test('other texts are no ids', () => {
  const id = publicGameId(PLAYER, GAME);
  // The last character carries two bits that the decoder ignores.
  const stray = id.slice(0, -1) + (id.endsWith('E') ? 'F' : String.fromCharCode(id.charCodeAt(42) + 1));
  for (const text of ['', '7', GAME, `${id}A`, id.slice(1), `${id.slice(0, -1)}=`, `${id.slice(0, -1)}+`, stray]) {
    expect([text, readPublicGameId(text)]).toEqual([text, undefined]);
  }
});
