/**
 * Opens the share sheet of the browser, or copies the text.
 * @returns what the player must read: `failed` when the browser can do neither; null after the share sheet
 */
export async function share(text: string, url: string, copied = `${text} ${url}`): Promise<'copied' | 'failed' | null> {
  try {
    if ('share' in navigator) {
      await navigator.share({ text, url });
      return null;
    }
  } catch (problem) {
    // Closed, or pressed again while it is open.
    if (problem instanceof DOMException && /^(Abort|InvalidState)Error$/.test(problem.name)) return null;
  }
  return copy(copied);
}

export async function copy(text: string): Promise<'copied' | 'failed'> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}
