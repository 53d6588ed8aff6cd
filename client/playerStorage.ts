/** What this browser keeps for each player who has played here, and what becomes of it when they leave. */

const TICKETS = 'tic-tac-toe.ticket.';
const UNSENT = 'tic-tac-toe.outbox.';

/** The beginning of the keys of a player's tickets. */
export const ticketPrefix = (playerId: string): string => `${TICKETS}${playerId}.`;

/** The beginning of the keys of a player's finished games that wait to be sent. */
export const unsentPrefix = (playerId: string): string => `${UNSENT}${playerId}.`;

/** Only the tickets of the player who is signed in stay. */
export function forgetTickets({ except }: { except?: string } = {}): void {
  const kept = except === undefined ? null : ticketPrefix(except);
  forget((key) => key.startsWith(TICKETS) && !(kept && key.startsWith(kept)));
}

/** Everything of a player whose account is deleted, unsent games included. */
export function forgetDeletedPlayer(playerId: string): void {
  forget((key) => key.startsWith(ticketPrefix(playerId)) || key.startsWith(unsentPrefix(playerId)));
}

function forget(isMeant: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(localStorage).filter(isMeant)) localStorage.removeItem(key);
  } catch {
    // Where storage is blocked nothing was kept.
  }
}
