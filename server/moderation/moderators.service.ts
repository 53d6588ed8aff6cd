import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { playersWith } from '../auth/players/identities.js';
import { ownersOf } from '../auth/players/merged-players.js';
import { ProvidersService } from '../auth/sign-in/providers.service.js';
import { Env } from '../settings/env.js';

/**
 * Knows the moderators. The setting alone makes one, and each question asks the database whose the identities and merged ids
 * of the setting are now: no right outlives a restart.
 */
@Injectable()
export class Moderators {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly providers: ProvidersService,
    private readonly env: Env,
  ) {}

  async all(): Promise<ReadonlySet<string>> {
    const named = this.env.moderators;
    const ids = named.flatMap((entry) => ('playerId' in entry ? [entry.playerId] : []));
    const identities = named.flatMap((entry) => {
      const issuer = 'subject' in entry && this.providers.issuerOf(entry.provider);
      return issuer ? [{ issuer, subject: entry.subject }] : [];
    });
    const { manager } = this.database;
    const owners = ids.length > 0 ? await ownersOf(manager, ids) : [];
    return new Set([...owners, ...(await playersWith(manager, identities))]);
  }

  async includes(playerId: string): Promise<boolean> {
    return (await this.all()).has(playerId);
  }
}
