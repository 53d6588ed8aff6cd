/** Starts the key of a day's commitment, which this browser keeps until the seeds are public. */
const KEPT = 'tic-tac-toe.commitment.';

/** The first commitment of a day stays: a later one could belong to other seeds. */
export function keepCommitment(day: string, commitment: string): void {
  try {
    if (keptCommitment(day) === null) localStorage.setItem(KEPT + day, commitment);
  } catch {
    // Blocked storage keeps nothing, so this browser has nothing to compare.
  }
}

export function keptCommitment(day: string): string | null {
  try {
    return localStorage.getItem(KEPT + day);
  } catch {
    return null;
  }
}

/** The SHA-256 of the seeds, joined by commas, in hexadecimal. */
export async function commitmentOf(seeds: readonly string[]): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(seeds.join(',')));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
