import type { EntityManager } from 'typeorm';
import { bannedPlayerOf, identitiesOf, type IssuedSubject } from '../auth/players/identities.js';
import { decidedPlayerOf } from '../auth/players/left-identities.js';
import { mergedIdsOf } from '../auth/players/merged-players.js';
import { playerById } from '../auth/players/stored-players.js';
import { haveUnsettled } from '../challenge/unsettled-attempts.js';
import { dayIsOverLimit } from '../counting/daily-limit.js';
import type { LinkRefusalReason } from './link.type.js';

/** Rolls a link back. */
export class LinkRefusal extends Error {
  override readonly name = 'LinkRefusal';

  /** @param otherPlayerId the hidden or banned player behind the identity, for the log alone */
  constructor(
    readonly reason: LinkRefusalReason,
    readonly otherPlayerId?: string,
  ) {
    super(reason);
  }
}

/** A link that a player wants. */
export interface WantedLink {
  readonly playerId: string;
  /** The player of the account that it would add. */
  readonly otherId: string | null;
  readonly proven: IssuedSubject;
  /** The identities that the player would get. */
  readonly identities: readonly IssuedSubject[];
  /** How many games of a player count in a day; 0 means no limit. */
  readonly gamesPerDay: number;
}

/** @throws {LinkRefusal} when the link is not possible */
export async function requireLinkable(manager: EntityManager, link: WantedLink): Promise<void> {
  const { playerId, otherId, proven, identities } = link;
  await requireUnmoderated(proven, otherId, manager);
  const own = new Set((await identitiesOf(manager, playerId)).map(({ issuer }) => issuer));
  if (own.has(proven.issuer)) throw new LinkRefusal('provider_linked');
  if (identities.some(({ issuer }) => own.has(issuer))) throw new LinkRefusal('conflicting_identities');
  if (!otherId) return;
  if (await haveUnsettled([playerId, otherId], manager)) throw new LinkRefusal('challenge_open');
  if (link.gamesPerDay === 0) return;
  // Otherwise a person could exceed the daily limit by playing as several players and merging them.
  const owned = [playerId, ...(await mergedIdsOf(manager, playerId))];
  const others = [otherId, ...(await mergedIdsOf(manager, otherId))];
  if (await dayIsOverLimit(manager, { own: owned, others, limit: link.gamesPerDay })) {
    throw new LinkRefusal('too_many_games_in_a_day');
  }
}

/** Otherwise a player could escape a ban, or bring hidden games back to the boards. */
async function requireUnmoderated(
  proven: IssuedSubject,
  otherId: string | null,
  manager: EntityManager,
): Promise<void> {
  const other = otherId ? await playerById(manager, otherId) : null;
  const decided = other && (other.bannedAt ?? other.hiddenAt);
  const blockedId = decided
    ? other.id
    : ((await bannedPlayerOf(proven, manager)) ?? (!other && (await decidedPlayerOf(manager, proven))));
  if (blockedId) throw new LinkRefusal('account_not_linkable', blockedId);
}
