import type { DataSource, EntityManager } from 'typeorm';
import { deleteAccount } from '../../account/delete-account.js';
import { banIdentitiesOf, endBansOf } from '../../auth/players/bans.js';
import { cleanName } from '../../auth/players/player-name.js';
import { retryConflicts } from '../../database/errors/retry-conflicts.js';
import { type GameKey, readPublicGameId } from '../../games/public-id.js';
import { listPlayer, lockStats, voidGame } from '../../counting/void-game.js';
import { type Authorization, type Change, writeAudit } from './audit.js';
import { ownerOf } from './owner.js';

/** A change that cannot be made. The message says why. */
export class ModerationError extends Error {
  override readonly name = 'ModerationError';
}

interface PlayerRow {
  readonly id: string;
  readonly name: string;
  readonly renamed_at: Date | null;
  readonly hidden_at: Date | null;
  readonly banned_at: Date | null;
}

/** Whether something changed, and a sentence about it. */
export interface Decision {
  readonly changed: boolean;
  readonly said: string;
}

type Effect = Omit<Change, 'action' | 'playerId'> & { readonly said: string };

/** An operator's decisions about players. Each is one transaction with its entry in the audit. */
export class Moderation {
  constructor(
    private readonly database: DataSource,
    private readonly authorization: Authorization,
  ) {}

  /** The provider's name no longer overwrites the new one. */
  rename(playerId: string, wanted: string): Promise<Decision> {
    const name = cleanName(wanted);
    if (!name) throw new ModerationError('The new name has no visible character.');
    return this.decide('player.rename', playerId, async (transaction, player) => {
      if (player.renamed_at && player.name === name) return `The name is ${name} already.`;
      await transaction.query('UPDATE players SET name = $2, renamed_at = now() WHERE id = $1', [playerId, name]);
      return { before: { name: player.name }, after: { name }, said: `${player.name} is now called ${name}.` };
    });
  }

  /** The next sign-in brings the provider's name back. */
  restoreName(playerId: string): Promise<Decision> {
    return this.decide('player.restore-name', playerId, async (transaction, { name, renamed_at }) => {
      if (!renamed_at) return `${name} has the provider's name already.`;
      await transaction.query('UPDATE players SET renamed_at = NULL WHERE id = $1', [playerId]);
      return { before: { name }, said: `The next sign-in of ${name} brings the provider's name back.` };
    });
  }

  /** Takes the player off the boards. The player still plays, and sees no place. */
  hide(playerId: string): Promise<Decision> {
    return this.decide('player.hide', playerId, async (transaction, { name, hidden_at }) => {
      if (hidden_at) return `${name} is hidden already.`;
      await transaction.query('UPDATE players SET hidden_at = now() WHERE id = $1', [playerId]);
      await listPlayer(transaction, playerId, false);
      return { before: { hidden: false }, after: { hidden: true }, said: `${name} is no longer on the boards.` };
    });
  }

  unhide(playerId: string): Promise<Decision> {
    return this.decide('player.unhide', playerId, async (transaction, { name, hidden_at, banned_at }) => {
      if (!hidden_at) return `${name} is not hidden.`;
      await transaction.query('UPDATE players SET hidden_at = NULL WHERE id = $1', [playerId]);
      await listPlayer(transaction, playerId, !banned_at);
      const said = banned_at ? `${name} is not hidden any more, but still banned.` : `${name} is on the boards again.`;
      return { before: { hidden: true }, after: { hidden: false }, said };
    });
  }

  /** Ends all sessions, blocks all identities of the player, and takes the player off the boards. */
  ban(playerId: string): Promise<Decision> {
    return this.decide('player.ban', playerId, async (transaction, { name, banned_at }) => {
      if (banned_at) return `${name} is banned already.`;
      await transaction.query('UPDATE players SET banned_at = now() WHERE id = $1', [playerId]);
      await banIdentitiesOf(playerId, transaction);
      await listPlayer(transaction, playerId, false);
      const sessions = await endSessions(transaction, playerId);
      const said = `${name} is banned and signed out of ${sessions} sessions.`;
      return { before: { banned: false }, after: { banned: true, sessionsEnded: sessions }, said };
    });
  }

  /** Also for a player whose account is deleted. */
  unban(playerId: string): Promise<Decision> {
    return this.change('player.unban', playerId, async (transaction, player) => {
      const identities = await endBansOf(playerId, transaction);
      if (!player && identities === 0) throw unknown(playerId);
      if (!player?.banned_at && identities === 0) return `${player!.name} is not banned.`;
      if (player) {
        await transaction.query('UPDATE players SET banned_at = NULL WHERE id = $1', [playerId]);
        await listPlayer(transaction, playerId, !player.hidden_at);
      }
      const who = player?.name ?? 'The player of the deleted account';
      return { before: { banned: true }, after: { banned: false }, said: `${who} may sign in again.` };
    });
  }

  signOut(playerId: string): Promise<Decision> {
    return this.decide('player.sign-out', playerId, async (transaction, { name }) => {
      const sessions = await endSessions(transaction, playerId);
      return { after: { sessionsEnded: sessions }, said: `${name} is signed out of ${sessions} sessions.` };
    });
  }

  /** A ban stays, also of identities that the player has linked since. */
  delete(playerId: string): Promise<Decision> {
    return this.decide('player.delete', playerId, async (transaction, { name, banned_at }) => {
      if (banned_at) await banIdentitiesOf(playerId, transaction);
      await deleteAccount(transaction, playerId);
      return { before: { banned: banned_at !== null }, said: `The account of ${name} is deleted.` };
    });
  }

  /**
   * Takes a game out of all sums and recounts the others: a later bonus may go, or come earlier. The game counts no more
   * when it is sent again.
   */
  async voidGame(publicId: string): Promise<Decision> {
    const { id: gameId, playerId: named } = keyOf(publicId);
    const playedBy = named ?? (await this.playerOf(gameId));
    // The games of a merged account stay under the id of its player.
    const playerId = await ownerOf(this.database, playedBy);
    return this.decide('game.void', playerId, async (transaction, { name }) => {
      const before = await lockStats(transaction, playerId);
      const game = await voidGame(transaction, { playerId, playedBy, gameId });
      if (!game) throw new ModerationError(`${name} has no counted game ${publicId}, or it is archived.`);
      const after = await lockStats(transaction, playerId);
      const said = `The game is void. ${name} has ${after?.score} points, and had ${before?.score}.`;
      return { target: publicId, before: { ...before, game }, after, said };
    });
  }

  /** Only an id from before the games had partitions does not name its player. */
  private async playerOf(gameId: string): Promise<string> {
    const [game] = await this.database.query<{ player_id: string }[]>('SELECT player_id FROM games WHERE id = $1', [
      gameId,
    ]);
    if (!game) throw new ModerationError(`There is no counted game ${gameId}.`);
    return game.player_id;
  }

  private decide(
    action: string,
    playerId: string,
    effect: (transaction: EntityManager, player: PlayerRow) => Promise<Effect | string>,
  ): Promise<Decision> {
    return this.change(action, playerId, (transaction, player) => {
      if (!player) throw unknown(playerId);
      return effect(transaction, player);
    });
  }

  /** An effect that is only a sentence has changed nothing. */
  private change(
    action: string,
    playerId: string,
    effect: (transaction: EntityManager, player: PlayerRow | undefined) => Promise<Effect | string>,
  ): Promise<Decision> {
    return retryConflicts(() =>
      this.database.transaction(async (transaction) => {
        // The lock makes a sign-in wait, which reads the player before it begins a session.
        const [player] = await transaction.query<PlayerRow[]>(
          'SELECT id, name, renamed_at, hidden_at, banned_at FROM players WHERE id = $1 FOR UPDATE',
          [playerId],
        );
        const result = await effect(transaction, player);
        if (typeof result === 'string') return { changed: false, said: result };
        const { said, ...change } = result;
        await writeAudit(transaction, this.authorization, { action, playerId, ...change });
        return { changed: true, said };
      }),
    );
  }
}

function keyOf(publicId: string): GameKey {
  const key = readPublicGameId(publicId);
  if (!key) throw new ModerationError(`${publicId} is not the id of a game. Find it with: ttt player show`);
  return key;
}

const unknown = (playerId: string) => new ModerationError(`There is no player ${playerId}.`);

/** Access tokens end with their sessions. @returns the number of sessions that were live */
async function endSessions(transaction: EntityManager, playerId: string): Promise<number> {
  const [, ended] = await transaction.query<[unknown, number]>(
    'UPDATE sessions SET revoked_at = now() WHERE player_id = $1 AND revoked_at IS NULL AND expires_at > now()',
    [playerId],
  );
  return ended;
}
