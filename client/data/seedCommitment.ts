import { stored } from '../ui/stored.js';

/** Starts the key of a day's commitment, which this browser keeps until the seeds are public. */
const KEPT = 'tic-tac-toe.commitment.';

/** The first commitment of a day stays: a later one could belong to other seeds. */
export function keepCommitment(day: string, commitment: string): void {
  if (keptCommitment(day) === null) stored.set(KEPT + day, commitment);
}

export const keptCommitment = (day: string): string | null => stored.get(KEPT + day);

/** The SHA-256 of the seeds, joined by commas, in hexadecimal. */
export async function commitmentOf(seeds: readonly string[]): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(seeds.join(',')));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
