import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanName } from './player-name.js';

const DRAWN_AS_NOTHING = [
  ...['\u3164', '\u2800', '\u115f', '\u1160', '\uffa0', '\u{1d159}', '\u{13441}', '\u{16fe4}', '\ufffc'],
  ...['\u034f', '\ufe0f', '\u17b4', '\u17b5', '\u180b', '\u180e', '\u2065', '\u{1bca0}', '\u{e0067}', '\u{e0100}'],
  ...['\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u3000', '\u00a0', '\u2029', '\u0000', '\u0085'],
];
const TURNING = ['\u200e', '\u200f', '\u061c', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2069'];
const FAMILY = '👨\u200d👩\u200d👧\u200d👦';

const code = (text: string) => `U+${text.codePointAt(0)!.toString(16)}`;
const codePoints = (text: string) => [...text].length;

describe('cleanName', () => {
  test.each([...DRAWN_AS_NOTHING, ...TURNING].map((sign) => [code(sign), sign]))(
    'is empty where it is only %s, and holds no trace of it',
    (_code, sign) => {
      expect(cleanName(sign.repeat(3))).toBe('');
      expect(cleanName(`${sign}Ada${sign}`)).toBe('Ada');
      expect(cleanName(`Ad${sign}a`)).toMatch(/^Ad ?a$/);
    },
  );

  test.each([
    ['a family', FAMILY],
    ['a skin colour', '👩🏽\u200d💻'],
    ['a heart with its selector', '❤\ufe0f'],
    ['a heart on fire', '❤\ufe0f\u200d🔥'],
    ['a heart on fire without its selector', '❤\u200d🔥'],
    ['the flag of England', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a country', '🇻🇳'],
    ['a keycap', '1\ufe0f\u20e3'],
  ])('keeps an emoji whole: %s', (_what, emoji) => {
    expect(cleanName(`Ada ${emoji}`)).toBe(`Ada ${emoji}`);
  });

  test('removes text hidden behind an emoji', () => {
    expect(cleanName('🏴\u{e0067}\u{e0062}\u{e0067}')).toBe('🏴');
    expect(cleanName('👨\u200d')).toBe('👨');
    expect(cleanName('❤\ufe0f\ufe0f\ufe0f')).toBe('❤\ufe0f');
    expect(cleanName('😀\ufe0f')).toBe('😀');
  });

  test.each([
    ['Vietnamese', 'Nguyễn Thị Ngọc Ánh'],
    ['Yoruba', 'Ọláòlú Ọ̀ṣọ́'],
    ['Lithuanian', 'Rū̃ta'],
    ['Thai', 'กิตติ์ น้ำผึ้ง'],
    ['Hindi', 'ज़्योत्स्ना शर्मा'],
    ['Sinhala with a joiner', 'ශ්\u200dරී'],
    ['Bengali with a joiner', 'র\u200d্যাব'],
    ['Persian with a non-joiner', 'علی\u200cرضا'],
    ['Arabic with vowels', 'مُحَمَّدٌ'],
    ['Hebrew with points', 'שָׁלוֹם בְּרֵאשִׁית'],
    ['Burmese', 'လျှို့ဝှက်'],
    ['Tibetan', 'བསྒྲུབས'],
    ['Korean', '김민준'],
    ['Japanese', 'ガブリエル 田中'],
  ])('keeps what %s needs', (_script, name) => {
    expect(cleanName(name)).toBe(name.normalize('NFC'));
  });

  test('limits the marks on a letter, and removes marks without a letter', () => {
    expect(cleanName(`a${'\u0335'.repeat(50)}`)).toBe('a\u0335\u0335');
    expect(cleanName(`ש${'\u05b8'.repeat(50)}`)).toBe(`ש${'\u05b8'.repeat(5)}`);
    expect(cleanName('\u0335\u0489Ada \u0335Lovelace')).toBe('Ada Lovelace');
    expect(cleanName('\u0301\u0301')).toBe('');
  });

  test('keeps a joiner only where it changes the glyphs', () => {
    expect(cleanName('A\u200dd\u200ca')).toBe('Ada');
    expect(cleanName('क\u200cम\u200dल')).toBe('कमल');
    expect(cleanName('علی\u200c')).toBe('علی');
  });

  test('cuts after 50 code points, never inside a grapheme', () => {
    expect(cleanName('🎲'.repeat(80))).toBe('🎲'.repeat(50));
    expect(cleanName(FAMILY.repeat(9))).toBe(FAMILY.repeat(7));
    expect(cleanName(`${'a'.repeat(49)}${FAMILY}`)).toBe('a'.repeat(49));
    expect(cleanName(`${'a'.repeat(49)}e\u0335`)).toBe('a'.repeat(49));
    // No script has a syllable of this length, so it is cut.
    expect(codePoints(cleanName('\u1100'.repeat(300)))).toBe(50);
  });

  test('any input gives a short name that is visible or empty and stays the same when cleaned again', () => {
    const nasty = fc.constantFrom(
      ...DRAWN_AS_NOTHING,
      ...TURNING,
      ...['a', 'é', ' ', '1', '👨', '🏽', '❤', '🏴', '🇻', '\u{e007f}', '\u20e3', '\ud83d', '\udc68'],
      ...['\u0301', '\u0489', 'क', '\u094d', 'ش', 'ש', '\u05b8', '\u1100', '\u1161', '가', '\ue000', '\uffff'],
    );
    const anything = fc.oneof(
      fc.array(nasty, { maxLength: 120 }).map((signs) => signs.join('')),
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
    );
    fc.assert(
      fc.property(anything, (given) => {
        const name = cleanName(given);
        expect(cleanName(name)).toBe(name);
        expect(codePoints(name)).toBeLessThanOrEqual(50);
        expect(Buffer.from(name).toString()).toBe(name);
        expect(name).not.toMatch(/^\s|\s$|\s\s|^\p{M}|\p{M}{6}|[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/u);
        if (name) expect(name.replace(/[\p{DI}\p{Z}\p{C}\u2800\ufffc\u{1d159}]/gu, '')).not.toBe('');
        // An invisible character stays only inside an emoji or beside a letter that it shapes.
        expect(
          name.replace(/(?<=[\p{ExtPict}\p{EMod}\ufe0f\d])[\ufe0f\u200d]|🏴[\u{e0020}-\u{e007f}]+/gu, ''),
        ).not.toMatch(/(?![\u200c\u200d])\p{DI}/u);
      }),
      { numRuns: 2_000 },
    );
  });
});
