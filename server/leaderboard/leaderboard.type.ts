import { Field, Int, IntersectionType, ObjectType, PickType } from '@nestjs/graphql';
import { z } from 'zod';
import { isWeek, type Week, weekOf } from '../../game/week.js';
import { EntryType } from '../auth/players/player.type.js';
import { PlayerStatsType } from '../stats/player-stats.type.js';
import { enumOf } from '../web/answers/enums.js';

const Results = PickType(PlayerStatsType, ['wins', 'losses', 'draws']);

@ObjectType('LeaderboardEntry', { description: 'One player on the leaderboard.' })
export class LeaderboardEntryType extends IntersectionType(EntryType, Results) {
  @Field(() => Int, {
    nullable: true,
    description:
      'The place. Around a player whose standing is not exact, players of one score share it. Null for the own entry of a week behind the first 1,000.',
  })
  rank!: number | null;

  @Field(() => Int, { description: 'Wins minus losses plus bonus points. It may be below 0.' })
  score!: number;

  @Field(() => Int, { description: 'Games finished: won, lost or drawn.' })
  totalGames!: number;

  @Field({ description: 'Whether programs have played at least half of the games that this board counts.' })
  byProgram!: boolean;
}

export const Period = enumOf('LeaderboardPeriod', 'Which games a leaderboard counts.', {
  all: 'All games since the beginning.',
  week: 'The verified games of one week, from Monday 00:00 UTC.',
});
export type Period = keyof typeof Period;

/** The argument in the GraphQL schema. */
export const WEEK_DESCRIPTION = 'The Monday on which the week begins, in UTC, for example `2026-01-26`.';

/** The argument beside a period. */
export const WEEK_OF_PERIOD = `${WEEK_DESCRIPTION} Only with the period \`week\`; this week where it is absent.`;

const wrongWeek = { error: 'week must be the Monday on which the week begins, for example 2026-01-26' };

/** One week, as the day on which it begins. */
export const weekName = z.string(wrongWeek).refine(isWeek, wrongWeek);

export const chosenPeriod = z
  .object({ period: z.enum(Period), week: weekName.optional() })
  .refine(({ period, week }) => period === Period.week || week === undefined, { error: 'week needs the period week' });

export type ChosenPeriod = z.output<typeof chosenPeriod>;

/** The week of a leaderboard: this one where none is chosen. Undefined for all games. */
export function weekIn({ period, week }: ChosenPeriod, now: Date): Week | undefined {
  return period === Period.week ? (week ?? weekOf(now)) : undefined;
}
