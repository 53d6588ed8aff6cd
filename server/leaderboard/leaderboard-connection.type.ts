import { Field, ObjectType } from '@nestjs/graphql';
import { PageInfo } from '../web/answers/page-info.type.js';
import { LeaderboardEntryType } from './leaderboard-entry.type.js';

@ObjectType('LeaderboardEdge', { description: 'One player in a page of the leaderboard.' })
export class LeaderboardEdge {
  @Field({ description: 'What `after` wants, for the players after this one. It stays valid when the player moves.' })
  cursor!: string;

  @Field(() => LeaderboardEntryType, { description: 'The player.' })
  node!: LeaderboardEntryType;
}

@ObjectType('LeaderboardConnection', { description: 'A page of the leaderboard, by the Relay specification.' })
export class LeaderboardConnection {
  @Field(() => [LeaderboardEdge], { description: 'The players, best first.' })
  edges!: LeaderboardEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands among the first 1,000 places.' })
  pageInfo!: PageInfo;
}
