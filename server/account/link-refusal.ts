import type { ProviderName } from '../auth/players/provider-name.js';
import type { ActingPlayer } from '../auth/sessions/signed-in.js';
import type { Refusals } from '../web/answers/refusals.js';
import type { LinkRefused, LinkRefusalReason } from './link.type.js';

const MESSAGES: Record<LinkRefusalReason, string> = {
  link_expired: 'This link has expired. Start it again.',
  already_linked: 'This sign-in method is linked already.',
  provider_linked: 'Another account of this provider is linked already. Unlink it first.',
  conflicting_identities:
    'Both accounts have a sign-in method of the same provider. Unlink one of them first, then link again.',
  account_changed: 'The other account has just changed. Start the link again.',
  too_many_games_in_a_day:
    'On some day, both accounts together have more games than count for one player, so they cannot be added up.',
  challenge_open: 'Today’s challenge is not finished in one of the accounts. Finish it, or link them tomorrow.',
  account_not_linkable:
    'This sign-in method cannot be linked. If you think that is wrong, ask the operator of this site.',
};

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

export function toLinkRefused(reason: LinkRefusalReason): LinkRefused {
  return { reason, message: MESSAGES[reason] };
}

export function noteRefusal(
  refusals: Refusals,
  { reason, otherPlayerId }: LinkRefusal,
  { playerId, request }: ActingPlayer,
  provider?: ProviderName,
): void {
  refusals.note({ event: 'link_refused', reason, provider, playerId, otherPlayerId }, request);
}
