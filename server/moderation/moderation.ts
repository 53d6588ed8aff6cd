import type { DataSource, EntityManager } from 'typeorm';
import { deleteAccount } from '../account/account.service.js';
import { banIdentitiesOf, banOf, endBansOf } from '../auth/players/identities.repository.js';
import { banLeftIdentities, endDecision, returnedAs } from '../auth/players/left-identities.repository.js';
import { lockedPlayer, now, updatePlayer } from '../auth/players/players.repository.js';
import type { Player } from '../auth/players/player.entity.js';
import { cleanName } from '../auth/players/player-name.js';
import { endSessions, live } from '../auth/sessions/session.entity.js';
import { isUuid } from '../base/uuid.js';
import { retryConflicts } from '../database/errors.js';
import { listPlayer, lockStats } from '../stats/player-stats.repository.js';
import { type GameKey, unvoidGame, voidGame } from '../stats/void-game.js';
import { type Authorization, type Change, countAudit, writeAudit } from '../account/audit.repository.js';
import { moderationRefusal } from './refusals.js';

/** A ban ends within ten years. A later date is a typing error. */
const MOST_YEARS = 10;

const NAMES_A_DAY = 3;

export function problemOfEnd(until: Date, now: Date): string | undefined {
  const most = new Date(now).setUTCFullYear(now.getUTCFullYear() + MOST_YEARS);
  const isRight = until > now && until.getTime() <= most;
  return isRight ? undefined : `must be a time in the future, and within ${MOST_YEARS} years`;
}

/** Whether something changed, and a sentence about it. */
export interface Decision {
  readonly playerId: string;
  readonly changed: boolean;
  readonly said: string;
}

type Effect = Omit<Change, 'action' | 'playerId'> & { readonly said: string };

/** Decisions of an operator or a moderator. Each is one transaction with its entry in the audit. */
export class Moderation {
  constructor(
    private readonly database: DataSource,
    private readonly authorization: Authorization,
    /** The moderators, for whom only operators decide: a stolen session must not end all moderation. */
    private readonly moderators: ReadonlySet<string> = new Set(),
  ) {}

  rename(named: string, wanted: string): Promise<Decision> {
    const name = cleanName(wanted);
    if (!name) throw moderationRefusal('name_not_visible', 'The new name has no visible character.');
    return this.decide('player.rename', named, async (transaction, player) => {
      if (player.renamedAt && player.name === name) return `The name is ${name} already.`;
      await updatePlayer(transaction, player.id, { name, renamedAt: now, providerName: null });
      return { before: { name: player.name }, after: { name }, said: `${player.name} is now called ${name}.` };
    });
  }

  restoreName(named: string): Promise<Decision> {
    return this.change('player.restore-name', named, async (transaction, player, playerId) => {
      if (!player) return endOfDecision(transaction, playerId, 'name');
      const { name, renamedAt } = player;
      if (!renamedAt) return `${name} has the provider's name already.`;
      await updatePlayer(transaction, playerId, { renamedAt: null });
      return { before: { name }, said: `The next sign-in of ${name} brings the provider's name back.` };
    });
  }

  /**
   * The player's own name. The audit has no name here: its entries stay when the account goes.
   * @param wanted null brings the provider's name back, as often as the player likes
   * @param today when the day began in which a player has three names; the lock makes other servers wait
   */
  chooseName(playerId: string, wanted: string | null, today: Date): Promise<Decision> {
    const chosen = wanted === null ? null : cleanName(wanted);
    if (chosen === '') throw moderationRefusal('name_not_visible', 'A name needs a visible character.');
    const action = chosen === null ? 'player.undo-name' : 'player.choose-name';
    return this.decide(action, playerId, async (transaction, { name, providerName, renamedAt }) => {
      if (renamedAt) throw moderationRefusal('name_decided', 'A moderator has set your name: you cannot change it.');
      if (chosen === name || (chosen === null && providerName === null)) return `The name is ${name} already.`;
      if (chosen !== null && (await countAudit(transaction, playerId, action, today)) >= NAMES_A_DAY)
        throw moderationRefusal('too_many_names', 'You have changed your name three times today. Try again tomorrow.');
      const next = chosen ?? providerName!;
      await updatePlayer(transaction, playerId, { name: next, providerName: chosen && (providerName ?? name) });
      return { said: `The name is ${next} now.` };
    });
  }

  hide(named: string): Promise<Decision> {
    return this.decide('player.hide', named, async (transaction, { id, name, hiddenAt }) => {
      if (hiddenAt) return `${name} is hidden already.`;
      await updatePlayer(transaction, id, { hiddenAt: now });
      await listPlayer(transaction, id, false);
      return { before: { hidden: false }, after: { hidden: true }, said: `${name} is no longer on the boards.` };
    });
  }

  unhide(named: string): Promise<Decision> {
    return this.change('player.unhide', named, async (transaction, player, playerId) => {
      if (!player) return endOfDecision(transaction, playerId, 'hidden');
      const { name, hiddenAt, bannedAt } = player;
      if (!hiddenAt) return `${name} is not hidden.`;
      await updatePlayer(transaction, playerId, { hiddenAt: null });
      await listPlayer(transaction, playerId, !bannedAt);
      const said = bannedAt ? `${name} is not hidden any more, but still banned.` : `${name} is on the boards again.`;
      return { before: { hidden: true }, after: { hidden: false }, said };
    });
  }

  /**
   * Ends all sessions, blocks all identities of the player, also those that have left it lately, and takes the player off the
   * boards. Of an account that was deleted lately, blocks the identities. Of a banned player, changes the end.
   * @param until when the ban ends by itself
   */
  ban(named: string, until: Date | null | undefined = null): Promise<Decision> {
    return this.change('player.ban', named, async (transaction, player, playerId) => {
      const others = await returnedAs(transaction, playerId);
      const further = others.map((id) => ` An identity has become the player ${id}: ban that player too.`).join('');
      const end = until ? ` until ${timeText(until)}` : '';
      const who = player?.name ?? DELETED;
      const last = player ? player.bannedAt && { until: player.bannedUntil } : await banOf(playerId, transaction);
      if (last && last.until?.getTime() === until?.getTime()) return `${who} is banned${end} already.${further}`;
      await banLeftIdentities(transaction, playerId);
      const identities = await banIdentitiesOf(playerId, until, transaction);
      if (!player && identities === 0)
        throw further ? moderationRefusal('player_unknown', further.trim()) : unknown(playerId);
      if (player) {
        const begin = player.bannedAt ? {} : { bannedAt: now };
        await updatePlayer(transaction, playerId, { ...begin, bannedUntil: until });
      }
      const before = last ? stateOfBan(last) : { banned: false };
      const after = stateOfBan({ until });
      if (last) return { before, after, said: `${who} is banned${end || ' without an end'} now.${further}` };
      if (!player) return { before, after, said: `${who} cannot sign in any more${end}.${further}` };
      await listPlayer(transaction, playerId, false);
      const sessions = await endSessions(transaction, { playerId, ...live() });
      const signedOut = sessions > 0 ? ` and signed out of ${sessionsText(sessions)}` : '';
      const said = `${who} is banned${end}${signedOut}.${further}`;
      return { before, after: { ...after, sessionsEnded: sessions }, said };
    });
  }

  /**
   * Also for a player whose account is deleted.
   * @param due ends the ban only if its end has come at this time
   */
  unban(named: string, due?: Date): Promise<Decision> {
    return this.change('player.unban', named, async (transaction, player, playerId) => {
      const identities = await endBansOf(playerId, transaction, due);
      if (due && identities === 0) return 'The end of the ban has not come.';
      if (!player && identities === 0) throw unknown(playerId);
      if (!player?.bannedAt && identities === 0) return `${player!.name} is not banned.`;
      if (player) {
        await updatePlayer(transaction, playerId, { bannedAt: null, bannedUntil: null });
        await listPlayer(transaction, playerId, !player.hiddenAt);
      }
      const who = player?.name ?? DELETED;
      return { before: { banned: true }, after: { banned: false }, said: `${who} may sign in again.` };
    });
  }

  signOut(named: string): Promise<Decision> {
    return this.decide('player.sign-out', named, async (transaction, { id, name }) => {
      const sessions = await endSessions(transaction, { playerId: id, ...live() });
      const said = sessions > 0 ? `${name} is signed out of ${sessionsText(sessions)}.` : `${name} was not signed in.`;
      return { after: { sessionsEnded: sessions }, said };
    });
  }

  /** A ban stays, also of identities that the player has linked since. */
  delete(named: string): Promise<Decision> {
    return this.decide('player.delete', named, async (transaction, { id, name, bannedAt, bannedUntil }) => {
      if (bannedAt) await banIdentitiesOf(id, bannedUntil, transaction);
      await deleteAccount(transaction, id);
      return { before: { banned: bannedAt !== null }, said: `The account of ${name} is deleted.` };
    });
  }

  voidGame(playerId: string, id: string): Promise<Decision> {
    return this.recount('game.void', { playerId, id }, async (transaction, key) => {
      const game = await voidGame(transaction, key);
      return game && { before: { game }, after: {}, said: 'The game is void.' };
    });
  }

  unvoidGame(playerId: string, id: string): Promise<Decision> {
    return this.recount('game.unvoid', { playerId, id }, async (transaction, key) => {
      const game = await unvoidGame(transaction, key);
      return game && { before: {}, after: { game }, said: 'The game counts again.' };
    });
  }

  private async recount(
    action: string,
    { playerId: named, id }: GameKey,
    move: (transaction: EntityManager, key: GameKey) => Promise<Required<Omit<Effect, 'target'>> | null>,
  ): Promise<Decision> {
    if (!isUuid(id)) throw moderationRefusal('game_unknown', `${id} is not the id of a game.`);
    return this.decide(action, named, async (transaction, { id: playerId, name }) => {
      const before = await lockStats(transaction, playerId);
      const moved = await move(transaction, { playerId, id });
      if (!moved) throw moderationRefusal('game_unknown', `${name} has no such game ${id}.`);
      const after = await lockStats(transaction, playerId);
      const [was, is] = [before?.score, after?.score];
      const change = was === is ? `stays ${is}` : `went from ${was} to ${is}`;
      return {
        target: id.toLowerCase(),
        before: { ...before, ...moved.before },
        after: { ...after, ...moved.after },
        said: `${moved.said} ${name}'s score ${change}.`,
      };
    });
  }

  private decide(
    action: string,
    named: string,
    effect: (transaction: EntityManager, player: Player) => Promise<Effect | string>,
  ): Promise<Decision> {
    return this.change(action, named, (transaction, player, playerId) => {
      if (!player) throw unknown(playerId);
      return effect(transaction, player);
    });
  }

  /** An effect that is only a sentence has changed nothing. */
  private async change(
    action: string,
    named: string,
    effect: (transaction: EntityManager, player: Player | null, playerId: string) => Promise<Effect | string>,
  ): Promise<Decision> {
    if (!isUuid(named)) throw unknown(named);
    const playerId = named.toLowerCase();
    if (this.moderators.has(playerId))
      throw moderationRefusal('player_is_moderator', 'Moderators cannot decide about a moderator. An operator can.');
    return retryConflicts(() =>
      this.database.transaction(async (transaction) => {
        const player = await lockedPlayer(transaction, playerId);
        const result = await effect(transaction, player, playerId);
        if (typeof result === 'string') return { playerId, changed: false, said: result };
        const { said, ...change } = result;
        await writeAudit(transaction, this.authorization, { action, playerId, ...change });
        return { playerId, changed: true, said };
      }),
    );
  }
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

const unknown = (playerId: string) => moderationRefusal('player_unknown', `There is no player ${playerId}.`);

const DELETED = 'The player of the deleted account';

const sessionsText = (count: number) => (count === 1 ? '1 session' : `${count} sessions`);

const stateOfBan = ({ until }: { until: Date | null }) => ({ banned: true, ...(until && { until }) });

/** Such as `2027-01-31 12:00 UTC`. */
const timeText = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
