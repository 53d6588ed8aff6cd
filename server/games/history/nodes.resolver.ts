import { Args, Context, ID, Query, Resolver } from '@nestjs/graphql';
import { PlayerType } from '../../auth/players/player.type.js';
import type { SignedInRequest } from '../../auth/sessions/signed-in.js';
import { ShownPlayers } from '../../auth/shown-players.service.js';
import { Node } from '../../web/answers/node.type.js';
import { DatabaseTurns } from '../../web/requests/database-turns.js';
import { HistoryService } from './history.service.js';
import { readPublicGameId } from '../public-id.js';

/** Finds players and games again by their ids. */
@Resolver(() => Node)
export class NodesResolver {
  constructor(
    private readonly players: ShownPlayers,
    private readonly history: HistoryService,
    private readonly turns: DatabaseTurns,
  ) {}

  @Query(() => Node, {
    nullable: true,
    description:
      'The player or the game with this id, as `player` and `game` answer it. Null where they are null. Needs no access token.',
  })
  async node(
    @Context() { req }: { req: SignedInRequest },
    @Args('id', { type: () => ID, description: 'The `id` of a player or of a game.' }) id: string,
  ): Promise<(Node & { __typename: string }) | null> {
    // An id of a game is longer than one of a player.
    const key = readPublicGameId(id);
    const found = key
      ? await this.turns.run(req.raw, 'gameReads', () => this.history.game(key))
      : await this.players.byId(req, id);
    return found && { ...found, __typename: key ? 'Game' : 'Player' };
  }

  @Query(() => PlayerType, {
    nullable: true,
    description:
      'A player. Null for a hidden player, and for one who does not exist or is gone. Needs no access token.',
  })
  player(
    @Context() { req }: { req: SignedInRequest },
    @Args('id', { type: () => ID, description: 'The id of the player.' }) id: string,
  ): Promise<PlayerType | null> {
    return this.players.byId(req, id);
  }
}
