import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { AccountService } from '../account/account.service.js';
import { pictureOf } from '../auth/players/picture.js';
import { countLive } from '../auth/sessions/session.entity.js';
import { isUuid } from '../base/uuid.js';
import { voidedGamesOf } from '../stats/void-game.js';
import { toGameType } from '../games/game.type.js';
import { Env } from '../settings/env.js';
import { connectionOf } from '../web/answers/page-info.type.js';
import { MAX_LIMIT } from '../base/most-entries.js';
import { numberBetween, parseInput } from '../web/input.js';
import type { AuditConnection, AuditEntryType } from './audit.type.js';
import { readAudit } from '../account/audit.repository.js';
import type { AuditEntry } from '../account/audit-entry.entity.js';
import type { ModeratedPlayerConnection, ModeratedPlayerType, PlayerReportType } from './moderated-player.type.js';
import { Moderators } from './moderators.guard.js';
import {
  cursorIn,
  cursorOf,
  type ListedPlayer,
  listPlayers,
  type PlayersWanted,
  playersOf,
  text,
} from './player-lists.js';

const MOST_IN_REPORT = 50;

const auditPage = z.object({
  playerId: z.uuid('playerId must be the id of a player').nullable(),
  first: numberBetween('first', 1, MAX_LIMIT),
  after: z
    .string()
    .regex(/^\d{1,18}$/, 'after must be the cursor of an entry')
    .nullable(),
});

@Injectable()
export class ModerationQueries {
  constructor(
    private readonly database: DataSource,
    private readonly account: AccountService,
    private readonly moderators: Moderators,
    private readonly env: Env,
  ) {}

  async players(
    { list, orderBy }: Pick<PlayersWanted, 'list' | 'orderBy'>,
    given: { search?: string; first: number; after?: string },
  ): Promise<ModeratedPlayerConnection> {
    const page = z.object({
      search: text.trim().max(100, 'search must have at most 100 characters').optional(),
      first: numberBetween('first', 1, MAX_LIMIT),
      after: cursorIn(orderBy).optional(),
    });
    const { first, ...wanted } = parseInput(page, given);
    // One more says whether there is a next page.
    const found = await listPlayers(this.database.manager, { list, orderBy, ...wanted, first: first + 1 });
    const nodes = await this.shown(found.slice(0, first));
    const edges = nodes.map((node, at) => ({ cursor: cursorOf(found[at]!), node }));
    return connectionOf(edges, { hasNextPage: found.length > first, hasPreviousPage: wanted.after !== undefined });
  }

  async report(id: string): Promise<PlayerReportType | null> {
    if (!isUuid(id)) return null;
    const { manager } = this.database;
    const playerId = id.toLowerCase();
    const player = await this.player(playerId);
    if (!player) return null;
    const voided = await voidedGamesOf(manager, playerId, MOST_IN_REPORT);
    return {
      player,
      identities: await this.account.identitiesOf(playerId),
      ...(await countLive(manager, playerId)),
      // Their seeds and moves may belong to a game that others still play.
      voidedGames: voided.map((game) => toGameType({ ...game, seed: null, moves: null })),
    };
  }

  async player(id: string): Promise<ModeratedPlayerType | null> {
    const [player] = await this.shown(await playersOf(this.database.manager, [id]));
    return player ?? null;
  }

  async audit(given: z.input<typeof auditPage>): Promise<AuditConnection> {
    const { playerId, first, after } = parseInput(auditPage, given);
    const found = await readAudit(this.database.manager, { playerId, limit: first + 1, before: after });
    const edges = found.slice(0, first).map((entry) => ({ cursor: entry.id, node: toEntry(entry) }));
    return connectionOf(edges, { hasNextPage: found.length > first, hasPreviousPage: after !== null });
  }

  private async shown(players: readonly ListedPlayer[]): Promise<ModeratedPlayerType[]> {
    const moderators = await this.moderators.all();
    return players.map((player) => ({
      ...player,
      picture: pictureOf(player, this.env.publicOrigin),
      isModerator: moderators.has(player.id),
    }));
  }
}

function toEntry(entry: AuditEntry): AuditEntryType {
  const json = (value: object | null) => value && JSON.stringify(value);
  return { ...entry, before: json(entry.before), after: json(entry.after) };
}
