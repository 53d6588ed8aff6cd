import { Field, ObjectType } from '@nestjs/graphql';
import { PageInfo } from '../../web/answers/page-info.type.js';
import { GameType } from '../game.type.js';

@ObjectType('GameEdge', { description: 'One game in a list, with its place there.' })
export class GameEdge {
  @Field({ description: 'What `after` wants, for the games after this one. It stays valid when the game is gone.' })
  cursor!: string;

  @Field(() => GameType, { description: 'The game.' })
  node!: GameType;
}

@ObjectType('GameConnection', { description: "A page of a player's games, by the Relay specification." })
export class GameConnection {
  @Field(() => [GameEdge], { description: 'The games, newest first.' })
  edges!: GameEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands in the list.' })
  pageInfo!: PageInfo;
}
