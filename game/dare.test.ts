import { expect, test } from '@jest/globals';
import { dareCode, pageCode, readDare, readPage } from './dare.js';

const DARE = { playerId: '0198fe3f-9d2b-7aff-bfff-fb3e0c1d2e3f', day: '2032-02-09' };

test.each([DARE, { ...DARE, day: '1970-01-01' }, { ...DARE, day: '2149-06-06' }])('%p fits into 24 letters', (dare) => {
  const code = dareCode(dare);
  expect(code).toMatch(/^[\w-]{24}$/);
  expect(readDare(code)).toEqual(dare);
  for (const behind of ['. Beat that!', ')', '%29', '/']) expect(readDare(code + behind)).toEqual(dare);
});

const CODE = dareCode(DARE);

test.each(['', 'nobody', `${CODE.slice(1)}.`, `${CODE}A`, `${CODE}-`, '<b>nobody</b> dares you today'])(
  '%j is no code',
  (text) => {
    expect(readDare(text)).toBeNull();
  },
);

test('the page of a player has 22 letters, of which the last has two bits', () => {
  const code = pageCode(DARE.playerId);
  for (const behind of ['', '.', '/']) expect(readPage(code + behind)).toBe(DARE.playerId);
  for (const wrong of ['', code.slice(1), `${code}A`, `${code.slice(0, -1)}B`]) expect(readPage(wrong)).toBeNull();
});
