import type { clearStorageOnSignOut } from '../playerStorage.js';

const DRAFTS = 'tic-tac-toe.decision.';

/** The key of a draft that waits in its tab while the moderator signs in again. */
export const draftKey = (moderatorId: string, playerId = ''): string => `${DRAFTS}${moderatorId}.${playerId}`;

/** Removes the drafts of moderators who are signed out, or who are not the one who is signed in. */
export function clearDraftsOnSignOut(session: Parameters<typeof clearStorageOnSignOut>[0]): void {
  session.on(() => {
    const { player } = session.getSnapshot();
    try {
      for (const key of Object.keys(sessionStorage))
        if (key.startsWith(DRAFTS) && !(player && key.startsWith(draftKey(player.id)))) sessionStorage.removeItem(key);
    } catch {
      // Blocked storage holds nothing.
    }
  });
}
