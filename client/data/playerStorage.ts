import { stored, storedInTab } from '../ui/stored.js';

/** The keys of the data that this browser stores for its players, and the code that clears it. */
const TICKETS = 'tic-tac-toe.ticket.';
const OUTBOX = 'tic-tac-toe.outbox.';
const STATS = 'tic-tac-toe.stats.';
const TOLD = 'tic-tac-toe.told.';
const ROUND = 'tic-tac-toe.round.';
/** Outlasts a load of the login screen, which finds no session. */
const TRIAL = 'tic-tac-toe.trial';
const DRAFTS = 'tic-tac-toe.draft.';
/** The key of the provider that the player has used last. It starts the key of the hint to link both. */
export const PROVIDER = 'tic-tac-toe.provider';
/** GraphiQL stores the tabs of the playground, which can contain tickets. */
const PLAYGROUND = 'graphiql:';

export const ticketPrefix = (playerId: string): string => `${TICKETS}${playerId}.`;
export const outboxPrefix = (playerId: string): string => `${OUTBOX}${playerId}.`;
export const statsKey = (playerId: string): string => STATS + playerId;
/** The key of the lost days of which the player has heard in this browser. */
export const toldKey = (playerId: string): string => TOLD + playerId;

/** The key of a player's game in progress, or of the trial game, in the storage of its tab. */
export const roundKey = (playerId: string | null): string => (playerId === null ? TRIAL : ROUND + playerId);

/** The key of what a player has typed, a decision or a token, which waits in its tab while the player signs in again. */
export const draftKey = (playerId: string, about = ''): string => `${DRAFTS}${playerId}.${about}`;

interface SessionEvents {
  on(listener: (event: string) => void): () => void;
  getSnapshot(): { readonly player: { readonly id: string } | null };
}

/**
 * Clears a player's data when they sign out, when the page finds no session, or when another player signs in. Unsent games
 * stay for their owner.
 */
export function clearStorageOnSignOut(session: SessionEvents): () => void {
  return session.on((event) => {
    const { player } = session.getSnapshot();
    if (event === 'signed out' || event === 'no session')
      removeKeys((key) => [TICKETS, STATS, ROUND, DRAFTS, PLAYGROUND].some((start) => key.startsWith(start)));
    else if (player)
      removeKeys((key) =>
        [TICKETS, ROUND, TRIAL, DRAFTS].some((start) => key.startsWith(start) && !key.startsWith(start + player.id)),
      );
  });
}

/** Removes the unsent games too, because a deleted player can never send them, and what is kept of rivals and the provider. */
export function clearDeletedPlayer(playerId: string): void {
  const starts = [ticketPrefix(playerId), outboxPrefix(playerId), toldKey(playerId), PROVIDER];
  removeKeys((key) => starts.some((start) => key.startsWith(start)));
}

export function clearPlayground(): void {
  removeKeys((key) => key.startsWith(PLAYGROUND));
}

function removeKeys(isObsolete: (key: string) => boolean): void {
  for (const storage of [stored, storedInTab])
    for (const key of storage.keys().filter(isObsolete)) storage.set(key, null);
}
