import type { FastifyRequest } from 'fastify';
import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { PlayerType } from '../auth/players/player.type.js';
import { StandingType } from './standing.type.js';
import { StandingsService } from './standings.service.js';

/** Adds the standing to a player: auth/ does not know it. */
@Resolver(() => PlayerType)
export class PlayerStandingResolver {
  constructor(private readonly standings: StandingsService) {}

  @ResolveField('standing', () => StandingType, {
    nullable: true,
    description: 'Where the player stands. Null before the first finished game, and for a hidden player.',
  })
  standingOf(@Parent() { id }: PlayerType, @Context() { req }: { req: FastifyRequest }): Promise<StandingType | null> {
    return this.standings.shown.load(req.raw, id);
  }
}
