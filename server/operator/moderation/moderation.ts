import type { DataSource, EntityManager } from 'typeorm';
import { deleteAccount } from '../../account/stored-accounts.js';
import { banIdentitiesOf, endBansOf } from '../../auth/players/identities.js';
import { banLeft, endDecision, returnedAs } from '../../auth/players/left-identities.js';
import { ownerOf } from '../../auth/players/merged-players.js';
import {
  allowProviderName,
  lockedPlayer,
  replaceName,
  setBanned,
  setHidden,
} from '../../auth/players/stored-players.js';
import type { Player } from '../../auth/players/player.entity.js';
import { cleanName } from '../../auth/players/player-name.js';
import { endSessions } from '../../auth/sessions/sessions.service.js';
import { retryConflicts } from '../../database/errors/retry-conflicts.js';
import { type GameKey, readPublicGameId } from '../../games/public-id.js';
import { listPlayer, lockStats, voidGame } from '../../counting/void-game.js';
import { type Authorization, type Change, writeAudit } from './audit.js';

/** A change that cannot be made. The message says why. */
export class ModerationError extends Error {
  override readonly name = 'ModerationError';
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
      if (player.renamedAt && player.name === name) return `The name is ${name} already.`;
      await replaceName(transaction, playerId, name);
      return { before: { name: player.name }, after: { name }, said: `${player.name} is now called ${name}.` };
    });
  }

  /** The next sign-in brings the provider's name back. */
  restoreName(playerId: string): Promise<Decision> {
    return this.change('player.restore-name', playerId, async (transaction, player) => {
      if (!player) return endOfDecision(transaction, playerId, 'name');
      const { name, renamedAt } = player;
      if (!renamedAt) return `${name} has the provider's name already.`;
      await allowProviderName(transaction, playerId);
      return { before: { name }, said: `The next sign-in of ${name} brings the provider's name back.` };
    });
  }

  /** Takes the player off the boards. The player still plays, and sees no place. */
  hide(playerId: string): Promise<Decision> {
    return this.decide('player.hide', playerId, async (transaction, { name, hiddenAt }) => {
      if (hiddenAt) return `${name} is hidden already.`;
      await setHidden(transaction, playerId, true);
      await listPlayer(transaction, playerId, false);
      return { before: { hidden: false }, after: { hidden: true }, said: `${name} is no longer on the boards.` };
    });
  }

  unhide(playerId: string): Promise<Decision> {
    return this.change('player.unhide', playerId, async (transaction, player) => {
      if (!player) return endOfDecision(transaction, playerId, 'hidden');
      const { name, hiddenAt, bannedAt } = player;
      if (!hiddenAt) return `${name} is not hidden.`;
      await setHidden(transaction, playerId, false);
      await listPlayer(transaction, playerId, !bannedAt);
      const said = bannedAt ? `${name} is not hidden any more, but still banned.` : `${name} is on the boards again.`;
      return { before: { hidden: true }, after: { hidden: false }, said };
    });
  }

  /**
   * Ends all sessions, blocks all identities of the player, also those that have left it lately, and takes the player off the
   * boards. Of an account that was deleted lately, blocks the identities.
   */
  ban(playerId: string): Promise<Decision> {
    return this.change('player.ban', playerId, async (transaction, player) => {
      const left = await banLeft(transaction, playerId);
      const others = await returnedAs(transaction, playerId);
      const now = others.map((id) => ` An identity has become the player ${id}: ttt player ban ${id}`).join('');
      if (!player) return this.banOfDeleted(playerId, left, now);
      const { name, bannedAt } = player;
      if (bannedAt) return `${name} is banned already.`;
      await setBanned(transaction, playerId, true);
      await banIdentitiesOf(playerId, transaction);
      await listPlayer(transaction, playerId, false);
      const sessions = await endSessions(transaction, playerId);
      const said = `${name} is banned and signed out of ${sessions} sessions.${now}`;
      return { before: { banned: false }, after: { banned: true, sessionsEnded: sessions }, said };
    });
  }

  private banOfDeleted(playerId: string, identities: number, now: string): Effect {
    if (identities === 0) throw now ? new ModerationError(now.trim()) : unknown(playerId);
    const said = `The player of the deleted account cannot sign in any more.${now}`;
    return { before: { banned: false }, after: { banned: true }, said };
  }

  /** Also for a player whose account is deleted. */
  unban(playerId: string): Promise<Decision> {
    return this.change('player.unban', playerId, async (transaction, player) => {
      const identities = await endBansOf(playerId, transaction);
      if (!player && identities === 0) throw unknown(playerId);
      if (!player?.bannedAt && identities === 0) return `${player!.name} is not banned.`;
      if (player) {
        await setBanned(transaction, playerId, false);
        await listPlayer(transaction, playerId, !player.hiddenAt);
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
    return this.decide('player.delete', playerId, async (transaction, { name, bannedAt }) => {
      if (bannedAt) await banIdentitiesOf(playerId, transaction);
      await deleteAccount(transaction, playerId);
      return { before: { banned: bannedAt !== null }, said: `The account of ${name} is deleted.` };
    });
  }

  /**
   * Takes a game out of all sums and recounts the others: a later bonus may go, or come earlier. The game counts no more
   * when it is sent again.
   */
  async voidGame(publicId: string): Promise<Decision> {
    const { id: gameId, playerId: playedBy } = keyOf(publicId);
    // The games of a merged account stay under the id of its player.
    const playerId = await ownerOf(this.database.manager, playedBy);
    return this.decide('game.void', playerId, async (transaction, { name }) => {
      const before = await lockStats(transaction, playerId);
      const game = await voidGame(transaction, { playerId, playedBy, gameId });
      if (!game) throw new ModerationError(`${name} has no counted game ${publicId}, or it is archived.`);
      const after = await lockStats(transaction, playerId);
      const said = `The game is void. ${name} has ${after?.score} points, and had ${before?.score}.`;
      return { target: publicId, before: { ...before, game }, after, said };
    });
  }

  private decide(
    action: string,
    playerId: string,
    effect: (transaction: EntityManager, player: Player) => Promise<Effect | string>,
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
    effect: (transaction: EntityManager, player: Player | null) => Promise<Effect | string>,
  ): Promise<Decision> {
    return retryConflicts(() =>
      this.database.transaction(async (transaction) => {
        const player = await lockedPlayer(transaction, playerId);
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

/** Of a player whose account is deleted. */
async function endOfDecision(
  transaction: EntityManager,
  playerId: string,
  decision: 'hidden' | 'name',
): Promise<Effect> {
  if (!(await endDecision(transaction, playerId, decision))) throw unknown(playerId);
  return { said: 'The decision no longer waits for the next sign-in of the player, whose account is deleted.' };
}

const unknown = (playerId: string) => new ModerationError(`There is no player ${playerId}.`);
