import { type ComplexityEstimatorArgs, Extensions } from '@nestjs/graphql';
import type { GraphQLField } from 'graphql';
import { MAX_LIMIT } from '../base/most-entries.js';

type Estimator = (selected: ComplexityEstimatorArgs) => number;

/** The complexity of a list of at most so many entries. A field costs one by itself. */
export const listOf =
  (entries: number): Estimator =>
  ({ childComplexity }) =>
    1 + entries * (1 + childComplexity);

/** The complexity of a list, or of a page of one, whose length the client chooses. The resolver refuses any other length. */
export const limitedList: Estimator = ({ args, ...rest }) => {
  const wanted = Number(args.limit ?? args.first);
  return listOf(wanted >= 1 && wanted <= MAX_LIMIT ? wanted : 1)({ args, ...rest });
};

/** The field reads the database in its turn. One of `Query` or `Mutation` does so without this. */
export const TakesTurn = () => Extensions({ turn: true });

/** The field reads the database, or its fields do, and takes no turn itself. */
export const TakesNoTurn = (why: string) => Extensions({ turn: false, why });

/** Whether the field takes a turn. Undefined where it does not say so. */
export const turnOf = ({ extensions }: GraphQLField<unknown, unknown>): boolean | undefined =>
  extensions.turn as boolean | undefined;
