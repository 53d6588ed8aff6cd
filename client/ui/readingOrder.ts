/** The arrow key that leads there where the text runs from left to right. The board is not mirrored, and needs it not. */
export function inReadingOrder(key: string): string {
  if (document.dir !== 'rtl') return key;
  return { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }[key] ?? key;
}
