import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { isUuid } from '../base/uuid.js';
import { Env } from '../settings/env.js';
import { DatabaseTurns } from '../web/requests/database-turns.js';
import { RequestLoader } from '../web/requests/request-loader.js';
import { ownersOf } from './players/merged-players.js';
import { type PlayerType, toPlayerType, toPublicPlayer } from './players/player.type.js';
import { listedPlayers } from './players/stored-players.js';
import { SignedInGuard } from './sessions/signed-in.guard.js';
import type { SignedInRequest } from './sessions/signed-in.js';

/** Players as everybody may see them. A player sees more of themselves. */
@Injectable()
export class ShownPlayers {
  private readonly listed: RequestLoader<string, PlayerType | null>;
  private readonly owners: RequestLoader<string, string>;

  constructor(
    @InjectDataSource() { manager }: DataSource,
    turns: DatabaseTurns,
    private readonly guard: SignedInGuard,
    { publicOrigin }: Env,
  ) {
    this.listed = new RequestLoader(turns, 'reads', async (ids) => {
      const players = await listedPlayers(manager, ids);
      return players.map((player) => player && toPlayerType(player, publicOrigin));
    });
    this.owners = new RequestLoader(turns, 'reads', (ids) => ownersOf(manager, ids));
  }

  /** @returns null for a hidden player, and for one who does not exist or is gone */
  async byId(request: SignedInRequest, id: string): Promise<PlayerType | null> {
    const player = isUuid(id) ? await this.listed.load(request.raw, id.toLowerCase()) : null;
    if (!player) return null;
    // Clients keep one object for a player, so all fields agree on what they show of the one who asks.
    const isOwn = await this.guard.isOf(request, player.id, 'account:read');
    return isOwn ? player : toPublicPlayer(player);
  }

  /** The player to whom the games of this id belong. It may be the id of a merged account. */
  async ownerOf(request: SignedInRequest, playedBy: string): Promise<PlayerType | null> {
    return this.byId(request, await this.owners.load(request.raw, playedBy));
  }
}
