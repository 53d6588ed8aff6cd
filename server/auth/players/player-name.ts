import { NAME_LENGTH, withinLength } from '../../../game/text.js';

/** Bounds the work on a text from outside. */
const MAX_GIVEN = 1000;

/** Emoji joined by ZWJ. Many programs leave out the variation selectors. */
const PICTURE = '[\\p{ExtPict}--\\p{Cn}]\\p{EMod}?\\uFE0F?';
const JOINED_EMOJI = `${PICTURE}(?:\\u200D${PICTURE}){1,4}`;

const CURSIVE = '[\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mong}\\p{sc=Nkoo}\\p{sc=Mand}\\p{sc=Adlm}]';
const VIRAMA = '[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA\\u1039\\u17D2]';
const LETTER = '[\\p{L}--\\p{DI}]';
/** Joiners that change the glyphs: a non-joiner inside Persian words, a joiner beside an Indic virama. */
const USEFUL_JOINER = [
  `(?<=[${CURSIVE}&&\\p{L}])\\u200C(?=[${CURSIVE}&&\\p{L}])`,
  `(?<=${VIRAMA})[\\u200C\\u200D](?=${LETTER})`,
  `(?<=${LETTER})[\\u200C\\u200D](?=${VIRAMA})`,
].join('|');

/** Group 1 stays, although it contains code points that are invisible elsewhere. */
const INVISIBLE = new RegExp(
  `(${JOINED_EMOJI}|\\p{RGI_Emoji}|${USEFUL_JOINER})|[\\p{DI}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}]`,
  'gv',
);

/** Blank characters: they separate words like a space. */
const BLANK = /(?:[\p{Cc}\p{Z}\u2800\u3164\uFFA0\uFFFC\u{13441}\u{13442}\u{1D159}]|\u{16FE4})+/gu;

/** A mark without a letter would overlap the text before the name. */
const LOOSE_MARKS = /(^|\s)(?:\p{M}|\u200C|\u200D)+/gu;
/** In these scripts NFC leaves at most two marks on a letter, for instance in Yoruba and Lithuanian. */
const MANY_MARKS_ON_EUROPEAN =
  /(?<=[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}\p{P}\p{S}])(\p{M}{2})\p{M}+[\u200C\u200D]?/gu;
/** Burmese and pointed Hebrew need five. */
const MANY_MARKS = /(\p{M}{5})\p{M}+[\u200C\u200D]?/gu;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Makes a name safe for the public leaderboard: one line of at most 50 code points, without invisible characters and
 * without any that reverse or cover the text around it. Emoji and the joiners of a script stay.
 * @returns an empty string when nothing visible is left
 */
export function cleanName(given: string): string {
  const name = given
    .slice(0, MAX_GIVEN)
    .replace(BLANK, ' ')
    .replace(INVISIBLE, '$1')
    .normalize('NFC')
    .replace(LOOSE_MARKS, '$1')
    .replace(MANY_MARKS_ON_EUROPEAN, '$1')
    .replace(MANY_MARKS, '$1')
    .replace(/ +/g, ' ')
    .trim();
  return VISIBLE.test(name) ? withinLength(name, NAME_LENGTH).replace(/[\s\u200C\u200D]+$/, '') : '';
}
