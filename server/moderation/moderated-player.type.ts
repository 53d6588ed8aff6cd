import { Field, Float, GraphQLISODateTime, ID, Int, ObjectType } from '@nestjs/graphql';
import { IdentityType } from '../account/link.type.js';
import { GameType } from '../games/game.type.js';
import { enumOf } from '../web/answers/enums.js';
import { connectionType } from '../web/answers/page-info.type.js';
import { listOf } from '../limits/field.js';

export const PlayerList = enumOf('PlayerList', 'Which players a moderator wants to see.', {
  all: 'All players, hidden and banned ones too.',
  hidden: 'Those who are hidden.',
  banned: 'Those who are banned.',
});

export const PlayerOrder = enumOf('PlayerOrder', 'What a list of players goes by.', {
  name: 'By name, A first.',
  score: 'The highest score first. Players without a finished game are left out.',
  rate: 'The highest rate of wins first. Players with fewer than 30 finished games are left out.',
  date: 'The newest first: by the first sign-in; hidden and banned ones by that decision.',
});

const time = (description: string) => Field(() => GraphQLISODateTime, { nullable: true, description });

const PROVIDER_NAME = "The provider's name, where the player has chosen another. Null for others.";

@ObjectType('ModeratedPlayer', { description: 'A player as a moderator sees them. Email addresses are not shown.' })
export class ModeratedPlayerType {
  @Field(() => ID, { description: 'The player.' }) id!: string;
  @Field({ description: 'The name.' }) name!: string;
  @Field({ description: "Address of the player's picture, or of an avatar generated from the id." }) picture!: string;
  @Field(() => GraphQLISODateTime, { description: 'When the player first signed in.' }) createdAt!: Date;
  @Field(() => Int, { description: 'The score. 0 before the first finished game.' }) score!: number;
  @Field(() => Int, { description: 'Games finished: won, lost or drawn.' }) totalGames!: number;
  @Field(() => Float, { nullable: true, description: 'The part of the games that is won, 0 to 1.' }) rate!:
    number | null;
  @time('When the newest game was counted.') lastGameAt!: Date | null;
  @time('When a decision replaced the name. Null for others.') renamedAt!: Date | null;
  @Field(() => String, { nullable: true, description: PROVIDER_NAME }) providerName!: string | null;
  @time('When the player was hidden. Null for others.') hiddenAt!: Date | null;
  @time('When the player was banned. Null for others.') bannedAt!: Date | null;
  @time('When the ban ends by itself. Null for a ban without an end, and for others.') bannedUntil!: Date | null;
  @Field({ description: 'Whether the player is a moderator. No moderator decides about one.' }) isModerator!: boolean;
}

export const ModeratedPlayerConnection = connectionType('ModeratedPlayer', ModeratedPlayerType, {
  page: 'A page of players',
  edges: 'The players.',
});
export type ModeratedPlayerConnection = InstanceType<typeof ModeratedPlayerConnection>;

const VOIDED = 'Voided games, which no longer count, the newest first, at most 50. `unvoidGame` brings one back.';

@ObjectType('PlayerReport', { description: 'All that a moderator sees of one player.' })
export class PlayerReportType {
  @Field(() => ModeratedPlayerType, { description: 'The player.' }) player!: ModeratedPlayerType;
  @Field(() => [IdentityType], { description: 'How the player can sign in, oldest first.', complexity: listOf(2) })
  identities!: IdentityType[];
  @Field(() => Int, { description: 'In how many browsers the player is signed in.' }) liveSessions!: number;
  @Field(() => Int, { description: 'How many personal tokens the player has.' }) liveTokens!: number;
  @Field(() => [GameType], { description: VOIDED, complexity: listOf(50) }) voidedGames!: GameType[];
}
