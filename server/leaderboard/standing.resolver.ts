import { Args, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { z } from 'zod';
import { parseInput } from '../web/parse-input.js';
import { NeighboursService } from './neighbours.service.js';
import { NeighboursType } from './neighbours.type.js';
import { StandingType } from './standing.type.js';

/** The greatest number of neighbours on one side of a player. */
const MAX_NEIGHBOURS = 5;

const count = (name: string) => {
  const message = { error: `${name} must be a whole number from 0 to ${MAX_NEIGHBOURS}` };
  return z.int(message).min(0, message).max(MAX_NEIGHBOURS, message);
};
const sides = z.object({ before: count('before'), after: count('after') });
function countOf(where: string) {
  return { type: () => Int, defaultValue: 1, description: `How many players ${where}, 0 to ${MAX_NEIGHBOURS}.` };
}

@Resolver(() => StandingType)
export class StandingResolver {
  constructor(private readonly neighbours: NeighboursService) {}

  @ResolveField('neighbours', () => NeighboursType, { description: 'The leaderboard around the player, at any place.' })
  neighboursOf(
    @Parent() standing: StandingType,
    @Args('before', countOf('above')) before: number,
    @Args('after', countOf('below')) after: number,
  ): Promise<NeighboursType> {
    const wanted = parseInput(sides, { before, after });
    return this.neighbours.around(standing, wanted.before, wanted.after);
  }
}
