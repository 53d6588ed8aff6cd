import { messages } from './messages.js';

interface Copied {
  readonly text: string;
  /** What the player reads then. */
  readonly said: string;
}

/** Copies what `make` returns, null without a token. Returns what the player must read. */
export async function copy(make: () => Promise<Copied | null>): Promise<string> {
  try {
    const made = await make();
    if (!made) return messages.signedOutMeanwhile;
    if (!navigator.clipboard) return messages.notCopied(messages.noClipboard);
    await navigator.clipboard.writeText(made.text);
    return made.said;
  } catch (problem) {
    return messages.notCopied((problem as Error).message);
  }
}
