import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { bannedPlayerOf } from '../auth/players/bans.js';
import { playerById } from '../auth/players/find-players.js';
import { identitiesOf, type IssuedSubject } from '../auth/players/identities.js';
import { mergedIdsOf } from '../auth/players/merged-players.js';
import { haveUnsettled } from '../challenge/unsettled-attempts.js';
import { dayIsOverLimit } from '../counting/daily-limit.js';
import { GameConnections } from '../counting/game-connections.js';
import { Env } from '../settings/env.js';
import { LinkRefusalReason } from './link.type.js';
import { LinkRefusal } from './link-refusal.js';

/** A link that a player wants. */
export interface WantedLink {
  readonly playerId: string;
  /** The player of the account that it would add. */
  readonly otherId: string | null;
  readonly proven: IssuedSubject;
  /** The identities that the player would get. */
  readonly identities: readonly IssuedSubject[];
}

/** Says why a link is not possible. */
@Injectable()
export class LinkConditions {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly connections: GameConnections,
    private readonly env: Env,
  ) {}

  /**
   * Says it before the player agrees.
   * @throws {LinkRefusal}
   */
  examine(link: WantedLink): Promise<void> {
    return this.connections.use(() => this.require(link, this.dataSource.manager));
  }

  /**
   * Says it in the transaction of the link.
   * @throws {LinkRefusal}
   */
  async require({ playerId, otherId, proven, identities }: WantedLink, manager: EntityManager): Promise<void> {
    await requireUnmoderated(proven, otherId, manager);
    const own = new Set((await identitiesOf(manager, playerId)).map(({ issuer }) => issuer));
    if (own.has(proven.issuer)) throw new LinkRefusal(LinkRefusalReason.provider_linked);
    if (identities.some(({ issuer }) => own.has(issuer))) {
      throw new LinkRefusal(LinkRefusalReason.conflicting_identities);
    }
    if (otherId) await this.requireMergeable(playerId, otherId, manager);
  }

  private async requireMergeable(playerId: string, otherId: string, manager: EntityManager): Promise<void> {
    if (await haveUnsettled([playerId, otherId], manager)) throw new LinkRefusal(LinkRefusalReason.challenge_open);
    const { gamesPerDay } = this.env;
    if (gamesPerDay === 0) return;
    // Otherwise a person could exceed the daily limit by playing as several players and merging them.
    const own = [playerId, ...(await mergedIdsOf(manager, playerId))];
    const others = [otherId, ...(await mergedIdsOf(manager, otherId))];
    if (await dayIsOverLimit(manager, { own, others, limit: gamesPerDay })) {
      throw new LinkRefusal(LinkRefusalReason.too_many_games_in_a_day);
    }
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
  const blockedId = decided ? other.id : await bannedPlayerOf(proven, manager);
  if (blockedId) throw new LinkRefusal(LinkRefusalReason.account_not_linkable, blockedId);
}
