/** The database holds as many code points and no more. */
const MAX_LENGTH = 50;
/** A stranger's text is cut to this before any work is done on it. */
const MAX_GIVEN = 1000;

/** Emoji joined by ZWJ: the selectors may be missing, as many programs leave them out. */
const PICTURE = '[\\p{ExtPict}--\\p{Cn}]\\p{EMod}?\\uFE0F?';
const JOINED_EMOJI = `${PICTURE}(?:\\u200D${PICTURE}){1,4}`;

const CURSIVE = '[\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mong}\\p{sc=Nkoo}\\p{sc=Mand}\\p{sc=Adlm}]';
const VIRAMA = '[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA\\u1039\\u17D2]';
const LETTER = '[\\p{L}--\\p{DI}]';
/** Persian writes a non-joiner inside words, Indic scripts write a joiner beside a virama: there it changes the glyphs. */
const USEFUL_JOINER = [
  `(?<=[${CURSIVE}&&\\p{L}])\\u200C(?=[${CURSIVE}&&\\p{L}])`,
  `(?<=${VIRAMA})[\\u200C\\u200D](?=${LETTER})`,
  `(?<=${LETTER})[\\u200C\\u200D](?=${VIRAMA})`,
].join('|');

/** Group 1 is what stays although it holds code points that are invisible elsewhere. */
const INVISIBLE = new RegExp(
  `(${JOINED_EMOJI}|\\p{RGI_Emoji}|${USEFUL_JOINER})|[\\p{DI}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}]`,
  'gv',
);

/** Signs that are drawn as nothing and take room: they separate words as a space does. */
const BLANK = /(?:[\p{Cc}\p{Z}\u2800\u3164\uFFA0\uFFFC\u{13441}\u{13442}\u{1D159}]|\u{16FE4})+/gu;

/** A mark without a letter would be drawn over whatever stands before the name. */
const LOOSE_MARKS = /(^|\s)(?:\p{M}|\u200C|\u200D)+/gu;
/** In these scripts NFC leaves at most two marks on a letter, Yoruba's or Lithuanian's. */
const MANY_MARKS_ON_EUROPEAN =
  /(?<=[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}\p{P}\p{S}])(\p{M}{2})\p{M}+[\u200C\u200D]?/gu;
/** Burmese and pointed Hebrew need five. */
const MANY_MARKS = /(\p{M}{5})\p{M}+[\u200C\u200D]?/gu;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * A name as it may stand on a public board: one line of at most 50 code points, with nothing invisible, nothing that turns
 * or covers the text around it. Emoji stay whole, and what a script needs to be read stays.
 * @returns an empty text where nothing visible is left
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
  return VISIBLE.test(name) ? cut(name) : '';
}

/** Never inside what is read as one character, unless that alone is too long. */
function cut(name: string): string {
  let length = 0;
  let end = 0;
  for (const { segment, index } of graphemes.segment(name)) {
    length += [...segment].length;
    if (length > MAX_LENGTH) break;
    end = index + segment.length;
  }
  const kept = end > 0 ? name.slice(0, end) : [...name].slice(0, MAX_LENGTH).join('');
  return kept.replace(/[\s\u200C\u200D]+$/, '');
}
