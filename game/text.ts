/** The longest name of a player. */
export const NAME_LENGTH = 50;

/** The signs of a text within so many code points, as the database counts. None is cut, unless the first alone is too long. */
export function withinLength(text: string, most: number): string {
  if ([...text].length <= most) return text;
  let length = 0;
  let end = 0;
  for (const { segment, index } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    length += [...segment].length;
    if (length > most) break;
    end = index + segment.length;
  }
  return end > 0 ? text.slice(0, end) : [...text].slice(0, most).join('');
}
