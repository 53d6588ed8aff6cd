import { ForbiddenException, Injectable, Logger, NotFoundException } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { bannedPlayerOf } from '../auth/players/bans.js';
import { Identity } from '../auth/players/identity.entity.js';
import { mergedIdsOf } from '../auth/players/merged-players.js';
import { pictureOf } from '../auth/players/picture.js';
import { Player } from '../auth/players/player.entity.js';
import type { ProviderName } from '../auth/players/provider-name.js';
import { lockPlayer } from '../auth/players/remove-player.js';
import { Session } from '../auth/sessions/session.entity.js';
import { type ActingPlayer, sessionEnded, type SignedInPlayer } from '../auth/sessions/signed-in.js';
import { LinkCodesService, type ProvenIdentity } from '../auth/sign-in/link-codes.service.js';
import { ProviderIssuersService } from '../auth/sign-in/provider-issuers.service.js';
import { SignInCode } from '../auth/sign-in/sign-in-code.entity.js';
import { Clock } from '../base/clock.js';
import { haveUnsettled } from '../challenge/unsettled-attempts.js';
import { retryConflicts } from '../database/errors/retry-conflicts.js';
import { Env } from '../settings/env.js';
import { GameConnections } from '../counting/game-connections.js';
import { PlayerChanges } from '../base/player-changes.js';
import { lockPlayerStats } from '../counting/remove-games.js';
import { PlayerStats } from '../counting/player-stats.entity.js';
import { toPlayerStats } from '../stats/player-stats.type.js';
import { Refusals } from '../web/answers/refusals.js';
import {
  type IdentityLinked,
  type IdentityType,
  type LinkRefused,
  LinkRefusalReason,
  type PendingLinkType,
} from './link.type.js';
import { LinkRefusal, toLinkRefused } from './link-refusal.js';
import { mergeAccounts } from './merge-accounts.js';

type Owner = Pick<Identity, 'issuer' | 'subject'>;

/** What a link has done, for the log. */
interface Linked {
  /** Absent where the identity had no account. */
  readonly merged?: { readonly playerId: string; readonly games: number };
}

/** Finds a day on which both accounts have verified games, and together more than may count. */
const DAY_OVER_LIMIT = `
  SELECT 1 FROM (
    SELECT g.player_id, (g.finished_at AT TIME ZONE 'UTC')::date AS day, 1 AS games
    FROM games g LEFT JOIN archived_stats a ON a.player_id = g.player_id
    WHERE g.player_id = ANY($1) AND g.source = 'verified' AND g.number > coalesce(a.up_to, 0)
    UNION ALL
    SELECT w.player_id, w.week + part.day, w.day_games[part.day + 1]
    FROM archived_weeks w CROSS JOIN generate_series(0, 6) AS part (day)
    WHERE w.player_id = ANY($1) AND w.day_games[part.day + 1] > 0
  ) AS days
  GROUP BY day
  HAVING sum(games) > $3 AND coalesce(sum(games) FILTER (WHERE player_id = ANY($2)), 0) BETWEEN 1 AND sum(games) - 1
  LIMIT 1`;

/**
 * Adds identities to a player and removes them. Locks are taken in the order of a sign-in and of `deleteAccount`: codes,
 * identities, stats, players; two players in the order of their ids.
 */
@Injectable()
export class LinksService {
  private readonly logger = new Logger('Auth');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly codes: LinkCodesService,
    private readonly issuers: ProviderIssuersService,
    private readonly connections: GameConnections,
    private readonly changes: PlayerChanges,
    private readonly refusals: Refusals,
    private readonly clock: Clock,
    private readonly env: Env,
  ) {}

  /** The identities with which the player can sign in. */
  async identitiesOf(playerId: string, manager: EntityManager = this.dataSource.manager): Promise<IdentityType[]> {
    const identities = await manager.getRepository(Identity).find({ where: { playerId }, order: { createdAt: 'ASC' } });
    return identities.flatMap(({ issuer, createdAt }) => {
      const provider = this.issuers.providerOf(issuer);
      return provider ? [{ provider, linkedAt: createdAt }] : [];
    });
  }

  /** What a link would do. Changes nothing. */
  async preview(player: ActingPlayer, code: string): Promise<PendingLinkType | null> {
    const proven = await this.codes.open(code, player);
    if (!proven) return null;
    const { provider, name, email } = proven;
    const { manager } = this.dataSource;
    const ownerId = await ownerOf(proven, manager);
    const other = ownerId && ownerId !== player.playerId ? await this.accountOf(ownerId) : null;
    try {
      const identities = ownerId ? await identitiesOf(ownerId, manager) : [proven];
      if (ownerId === player.playerId) throw new LinkRefusal(LinkRefusalReason.already_linked);
      await this.connections.use(() => this.requirePossible(player.playerId, ownerId, proven, identities, manager));
      return { provider, name, email, other, refusal: null };
    } catch (problem) {
      if (!(problem instanceof LinkRefusal)) throw problem;
      const refusal = toLinkRefused(problem.reason);
      if (problem.reason !== LinkRefusalReason.account_not_linkable) return { provider, name, email, other, refusal };
      // The page asks nothing more, so this is the only try that the log can tell.
      this.noteRefusal(problem, player, provider);
      return { provider, name, email, other: null, refusal };
    }
  }

  /**
   * Links the identity of a code to the player.
   * @param otherId the account that the player has agreed to add
   */
  async confirm(player: ActingPlayer, code: string, otherId: string | null): Promise<IdentityLinked | LinkRefused> {
    const proven = await this.codes.open(code, player);
    const { playerId } = player;
    const { id: requestId } = player.request;
    try {
      if (!proven) throw new LinkRefusal(LinkRefusalReason.link_expired);
      const { merged } = await retryConflicts(() =>
        this.connections.use(() =>
          this.dataSource.transaction(async (transaction) => {
            if (!(await this.codes.spend(code, player, transaction))) {
              throw new LinkRefusal(LinkRefusalReason.link_expired);
            }
            return this.link(player, proven, otherId, transaction);
          }),
        ),
      );
      const { provider } = proven;
      if (merged) {
        this.changes.publish({ playerId: merged.playerId });
        const { playerId: mergedId, games } = merged;
        this.logger.log({ event: 'accounts_merged', requestId, playerId, mergedId, games });
      }
      this.logger.log({ event: 'identity_linked', requestId, provider, playerId });
    } catch (problem) {
      if (!(problem instanceof LinkRefusal)) throw problem;
      this.noteRefusal(problem, player, proven?.provider);
      return toLinkRefused(problem.reason);
    }
    const stats = await this.dataSource.getRepository(PlayerStats).findOneBy({ playerId });
    this.changes.publish({ playerId, score: stats?.score });
    return { identities: await this.identitiesOf(playerId), stats: toPlayerStats(playerId, stats) };
  }

  private noteRefusal({ reason, otherPlayerId }: LinkRefusal, player: ActingPlayer, provider?: ProviderName) {
    const { playerId, request } = player;
    this.refusals.note({ event: 'link_refused', reason, provider, playerId, otherPlayerId }, request);
  }

  private async link(
    player: SignedInPlayer,
    proven: ProvenIdentity,
    otherId: string | null,
    transaction: EntityManager,
  ): Promise<Linked> {
    const { playerId } = player;
    const { issuer, subject } = proven;
    const now = this.clock.now();
    const ownerId = await lockOwner(proven, transaction);
    if (ownerId === playerId) throw new LinkRefusal(LinkRefusalReason.already_linked);
    if (ownerId !== otherId) throw new LinkRefusal(LinkRefusalReason.account_changed);

    const identities = transaction.getRepository(Identity);
    const moved = ownerId ? await takeIdentities(ownerId, transaction) : [{ issuer, subject, createdAt: now }];
    const locked = await lockPlayers(ownerId ? [playerId, ownerId] : [playerId], transaction);
    if (!locked.has(playerId) || !(await isLive(player, now, transaction))) throw sessionEnded();
    if (ownerId) {
      if (!locked.has(ownerId)) throw new LinkRefusal(LinkRefusalReason.account_changed);
      // The other account may have got a further identity before it was locked.
      moved.push(...(await takeIdentities(ownerId, transaction)));
    }
    await this.requirePossible(playerId, ownerId, proven, moved, transaction);

    const games = ownerId ? await mergeAccounts({ transaction, playerId, mergedId: ownerId, now }) : 0;
    const added = await identities
      .createQueryBuilder()
      .insert()
      .values(moved.map(({ issuer, subject, createdAt }) => ({ issuer, subject, createdAt, playerId })))
      .orIgnore()
      .returning('issuer')
      .execute();
    // A first sign-in with the identity came in between.
    if ((added.raw as unknown[]).length < moved.length) throw new LinkRefusal(LinkRefusalReason.account_changed);
    return ownerId ? { merged: { playerId: ownerId, games } } : {};
  }

  /**
   * @param identities those that the player would get
   * @throws {LinkRefusal}
   */
  private async requirePossible(
    playerId: string,
    otherId: string | null,
    proven: Owner,
    identities: readonly Owner[],
    manager: EntityManager,
  ): Promise<void> {
    await this.requireUnmoderated(proven, otherId, manager);
    const own = new Set((await identitiesOf(playerId, manager)).map(({ issuer }) => issuer));
    if (own.has(proven.issuer)) throw new LinkRefusal(LinkRefusalReason.provider_linked);
    if (identities.some(({ issuer }) => own.has(issuer))) {
      throw new LinkRefusal(LinkRefusalReason.conflicting_identities);
    }
    if (!otherId) return;
    // The games of an open attempt would be counted for the wrong player.
    if (await haveUnsettled([playerId, otherId], manager)) throw new LinkRefusal(LinkRefusalReason.challenge_open);
    const { gamesPerDay } = this.env;
    if (gamesPerDay === 0) return;
    // Otherwise a person could exceed the daily limit by playing as several players and merging them.
    const ownIds = [playerId, ...(await mergedIdsOf(manager, playerId))];
    const otherIds = [otherId, ...(await mergedIdsOf(manager, otherId))];
    const over = await manager.query<unknown[]>(DAY_OVER_LIMIT, [[...ownIds, ...otherIds], otherIds, gamesPerDay]);
    if (over.length > 0) throw new LinkRefusal(LinkRefusalReason.too_many_games_in_a_day);
  }

  /** Otherwise a player could escape a ban, or bring hidden games back to the boards. */
  private async requireUnmoderated(proven: Owner, otherId: string | null, manager: EntityManager): Promise<void> {
    const other = otherId ? await manager.getRepository(Player).findOneBy({ id: otherId }) : null;
    const decided = other && (other.bannedAt ?? other.hiddenAt);
    const blockedId = decided ? other.id : await bannedPlayerOf(proven, manager);
    if (blockedId) throw new LinkRefusal(LinkRefusalReason.account_not_linkable, blockedId);
  }

  private async accountOf(playerId: string): Promise<PendingLinkType['other']> {
    const player = await this.dataSource.getRepository(Player).findOneBy({ id: playerId });
    if (!player) return null;
    const stats = await this.dataSource.getRepository(PlayerStats).findOneBy({ playerId });
    const picture = pictureOf(player, this.env.publicOrigin);
    return { playerId, name: player.name, picture, stats: toPlayerStats(playerId, stats) };
  }

  /**
   * Removes the identity at a provider and ends all other sessions, because one of them may have begun with it.
   * @throws {NotFoundException} when the player has none there
   * @throws {ForbiddenException} when no other one would be left
   */
  async unlink({ playerId, sessionId, request }: ActingPlayer, provider: ProviderName): Promise<IdentityType[]> {
    const issuer = this.issuers.issuerOf(provider);
    await retryConflicts(() =>
      this.dataSource.transaction(async (transaction) => {
        await transaction.getRepository(SignInCode).delete({ playerId, spentAt: IsNull() });
        const found = (await identitiesOf(playerId, transaction)).find((identity) => identity.issuer === issuer);
        if (!found || (await lockOwner(found, transaction)) !== playerId) {
          throw new NotFoundException('This sign-in method is not linked.');
        }
        await lockPlayers([playerId], transaction);
        // A sign-in that held the identity may have issued a code meanwhile.
        await transaction.getRepository(SignInCode).delete({ playerId, spentAt: IsNull() });
        // Another identity may have been removed before the player was locked.
        if ((await this.identitiesOf(playerId, transaction)).length < 2) {
          throw new ForbiddenException({
            error: 'This is your only sign-in method. Link another one first.',
            code: 'last_identity',
          });
        }
        await transaction.getRepository(Identity).delete({ issuer: found.issuer, subject: found.subject });
        await transaction
          .getRepository(Session)
          .update({ playerId, revokedAt: IsNull(), id: Not(sessionId) }, { revokedAt: this.clock.now() });
      }),
    );
    this.logger.log({ event: 'identity_unlinked', requestId: request.id, provider, playerId });
    return this.identitiesOf(playerId);
  }
}

function identitiesOf(playerId: string, manager: EntityManager): Promise<Identity[]> {
  return manager.getRepository(Identity).findBy({ playerId });
}

async function ownerOf({ issuer, subject }: Owner, manager: EntityManager): Promise<string | null> {
  return (await manager.getRepository(Identity).findOneBy({ issuer, subject }))?.playerId ?? null;
}

/** Locks an identity. A sign-in with it waits. */
async function lockOwner({ issuer, subject }: Owner, transaction: EntityManager): Promise<string | null> {
  const identity = await transaction
    .getRepository(Identity)
    .findOne({ where: { issuer, subject }, lock: { mode: 'pessimistic_write' } });
  return identity?.playerId ?? null;
}

/** Deletes all identities of a player and returns them. A sign-in with one of them waits and then finds the new player. */
async function takeIdentities(playerId: string, transaction: EntityManager): Promise<Omit<Identity, 'playerId'>[]> {
  const taken = await transaction
    .getRepository(Identity)
    .createQueryBuilder()
    .delete()
    .where({ playerId })
    .returning('issuer, subject, created_at')
    .execute();
  return (taken.raw as { issuer: string; subject: string; created_at: Date | string }[]).map(
    ({ issuer, subject, created_at }) => ({ issuer, subject, createdAt: new Date(created_at) }),
  );
}

/** Locks stats and players. A game waits. @returns the players who exist */
async function lockPlayers(ids: readonly string[], transaction: EntityManager): Promise<ReadonlySet<string>> {
  const sorted = ids.toSorted();
  for (const id of sorted) await lockPlayerStats(transaction, id);
  const existing = new Set<string>();
  for (const id of sorted) if (await lockPlayer(transaction, id)) existing.add(id);
  return existing;
}

function isLive({ playerId, sessionId }: SignedInPlayer, now: Date, transaction: EntityManager): Promise<boolean> {
  return transaction
    .getRepository(Session)
    .existsBy({ playerId, id: sessionId, revokedAt: IsNull(), expiresAt: MoreThan(now) });
}
