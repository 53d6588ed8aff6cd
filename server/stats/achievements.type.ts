import { Field, Int, ObjectType, PickType } from '@nestjs/graphql';
import { listOf } from '../limits/field.js';
import { enumOf } from '../web/answers/enums.js';
import { PlayerStatsType } from './player-stats.type.js';
import { type BadgeName, BADGES, type PlayerSums } from './sums.js';

const Badge = enumOf<BadgeName>('Badge', 'Something that a player has reached for the first time, in verified games.', {
  first_easy_win: 'A win against the easy bot.',
  first_medium_win: 'A win against the medium bot.',
  first_hard_draw: 'A draw against the hard bot.',
  ten_hard_draws: 'Ten draws against the hard bot, in a row or not.',
});

@ObjectType('BadgeDetails', { description: 'A badge, and how the player stands to it.' })
export class BadgeDetailsType {
  @Field(() => Badge, { description: 'Which badge it is.' })
  badge!: BadgeName;

  @Field({ description: 'Whether the player has it.' })
  reached!: boolean;

  @Field(() => Date, { nullable: true, description: 'When the player got it. Null before it.' })
  reachedAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How much of `goal` the player has now. Null for a badge that one game decides.',
  })
  progress!: number | null;

  @Field(() => Int, { nullable: true, description: 'The `progress` at which a player gets it.' })
  goal!: number | null;
}

@ObjectType('Achievements', { description: 'What a player has reached in verified games.' })
export class AchievementsType extends PickType(PlayerStatsType, ['playerId']) {
  @Field(() => Int, { description: 'Games drawn against the hard bot.' })
  hardDraws!: number;

  @Field(() => Int, {
    description: 'Draws against the hard bot since the last loss there. Games at other difficulties change nothing.',
  })
  hardDrawsInARow!: number;

  @Field(() => Int, { description: 'The most draws against the hard bot without a loss there between them.' })
  bestHardDrawsInARow!: number;

  @Field(() => [Badge], { description: 'The badges that the player has.', complexity: listOf(4) })
  badges!: BadgeName[];

  @Field(() => [BadgeDetailsType], {
    description: 'All badges, those that the player does not have too.',
    complexity: listOf(4),
  })
  badgeDetails!: BadgeDetailsType[];
}

export function toAchievements(playerId: string, sums: PlayerSums): AchievementsType {
  const badgeDetails = (Object.keys(BADGES) as BadgeName[]).map((badge) => {
    const { goal, date } = BADGES[badge];
    const counted = goal > 1 ? { progress: Math.min(sums.hardDraws, goal), goal } : { progress: null, goal: null };
    return { badge, reached: sums[date] !== null, reachedAt: sums[date], ...counted };
  });
  const badges = badgeDetails.filter(({ reached }) => reached).map(({ badge }) => badge);
  const { hardDraws, hardDrawsInARow, bestHardDraws } = sums;
  return { playerId, hardDraws, hardDrawsInARow, bestHardDrawsInARow: bestHardDraws, badges, badgeDetails };
}
