import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { parseInput } from '../../web/input.js';
import { newToken, PersonalTokensService } from './personal-tokens.service.js';
import { PersonalTokenType, TokenCreated, TokenScope } from './session.type.js';
import { type ActingPlayer, type Scope, type SignedInPlayer } from './session.entity.js';
import { Authenticated, NEEDS_RECENT_SIGN_IN, SignedIn } from './session.guard.js';
import { Refusal } from '../../web/answers/refusals.js';
import { listOf } from '../../limits/field.js';

/** Lists, makes and revokes the personal tokens of the player. No personal token may do this. */
@Resolver(() => PersonalTokenType)
export class PersonalTokensResolver {
  constructor(private readonly tokens: PersonalTokensService) {}

  @Query(() => [PersonalTokenType], {
    description: "The player's personal tokens that have not ended, the newest first. Needs an access token.",
    complexity: listOf(20),
  })
  @Authenticated()
  myTokens(@SignedIn() { playerId }: SignedInPlayer): Promise<PersonalTokenType[]> {
    return this.tokens.liveOf(playerId);
  }

  @Mutation(() => TokenCreated, {
    description: `Makes a personal token, with which a program acts for the player. A player has 20 at most, otherwise it is TOO_MANY_TOKENS. ${NEEDS_RECENT_SIGN_IN}`,
  })
  @Authenticated({ recent: true })
  createToken(
    @SignedIn() player: ActingPlayer,
    @Args('name', { description: 'What the player calls it: 1 to 50 characters.' }) name: string,
    @Args('scopes', { type: () => [TokenScope], description: 'What it may do: at least one scope.' }) scopes: Scope[],
    @Args('days', {
      type: () => Int,
      nullable: true,
      description: 'After how many days it ends: 7, 30 or 90. Without it, the token never ends.',
    })
    days?: number | null,
  ): Promise<TokenCreated> {
    return this.tokens.create(player, parseInput(newToken, { name, scopes, days: days ?? null }));
  }

  @Mutation(() => [PersonalTokenType], {
    description: `Ends a personal token at once, and answers with those that are left. An id that is not the player's own is NOT_FOUND. ${NEEDS_RECENT_SIGN_IN}`,
    complexity: listOf(20),
  })
  @Authenticated({ recent: true })
  async revokeToken(
    @SignedIn() player: ActingPlayer,
    @Args('id', { type: () => ID, description: 'The `id` of the token.' }) id: string,
  ): Promise<PersonalTokenType[]> {
    if (!(await this.tokens.revoke(player, id))) throw new Refusal('not_found', 'You have no such token.');
    return this.myTokens(player);
  }
}
