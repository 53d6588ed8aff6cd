import { Args, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { requireScope } from '../../auth/sessions/signed-in.guard.js';
import { MeType } from '../../stats/me.type.js';
import { GameConnection } from './game-connection.type.js';
import { GamePageArgs } from './game-page.args.js';
import { HistoryService } from './history.service.js';

@Resolver(() => MeType)
export class MyGamesResolver {
  constructor(private readonly history: HistoryService) {}

  @ResolveField('games', () => GameConnection, {
    description: 'The games, newest first. A personal token needs `games:read`.',
  })
  gamesOf(@Parent() { id, scopes }: MeType, @Args() page: GamePageArgs): Promise<GameConnection> {
    requireScope(scopes, 'games:read');
    return this.history.pageOf(id, page);
  }
}
