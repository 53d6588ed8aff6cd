/**
 * Opens the share sheet of the browser, or copies the text.
 * @returns `closed` when the player has closed the sheet, `failed` when the browser can do neither
 */
export async function share(
  text: string,
  url: string,
  copied = `${text}\n${url}`,
): Promise<'shared' | 'copied' | 'closed' | 'failed'> {
  try {
    if ('share' in navigator) {
      await navigator.share({ text, url });
      return 'shared';
    }
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === 'AbortError') return 'closed';
  }
  try {
    await navigator.clipboard.writeText(copied);
    return 'copied';
  } catch {
    return 'failed';
  }
}
