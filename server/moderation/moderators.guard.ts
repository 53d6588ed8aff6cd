import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type IssuedSubject, playersWith } from '../auth/players/identities.repository.js';
import { deletedWith } from '../auth/players/left-identities.repository.js';
import { requestOf } from '../auth/sessions/session.guard.js';
import { ProvidersService } from '../auth/sign-in/providers.service.js';
import { Env } from '../settings/env.js';
import { moderationRefusal } from './refusals.js';

/**
 * Knows the moderators, and admits no others, after `SessionGuard`. The setting alone makes one, and each question asks the
 * database whose the identities of the setting are now: no right outlives a restart.
 */
@Injectable()
export class Moderators implements CanActivate {
  constructor(
    private readonly database: DataSource,
    private readonly providers: ProvidersService,
    private readonly env: Env,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (await this.include(requestOf(context).signedIn?.playerId)) return true;
    throw moderationRefusal('not_a_moderator');
  }

  async include(playerId: string | undefined): Promise<boolean> {
    return playerId !== undefined && (await this.all()).has(playerId);
  }

  /** Whom no moderator may decide about: also deleted accounts of moderators, because a ban follows their identities. */
  async protected(): Promise<ReadonlySet<string>> {
    return new Set([...(await this.all()), ...(await deletedWith(this.database.manager, this.issued()))]);
  }

  async all(): Promise<ReadonlySet<string>> {
    return new Set([...this.env.moderators.ids, ...(await playersWith(this.database.manager, this.issued()))]);
  }

  private issued(): IssuedSubject[] {
    return this.env.moderators.identities.flatMap(({ provider, subject }) => {
      const issuer = this.providers.issuerOf(provider);
      return issuer ? [{ issuer, subject }] : [];
    });
  }
}
