import { Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { PlayerType } from '../auth/players/player.type.js';
import { StandingType } from './standing.type.js';
import { StandingsService } from './standings.service.js';

@Resolver(() => PlayerType)
export class PlayerStandingResolver {
  constructor(private readonly standings: StandingsService) {}

  @ResolveField('standing', () => StandingType, {
    nullable: true,
    description: 'Where the player stands. Null before the first finished game.',
  })
  standingOf(@Parent() { id }: PlayerType): Promise<StandingType | null> {
    return this.standings.of(id);
  }
}
