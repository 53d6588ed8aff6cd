import type { ComplexityEstimatorArgs } from '@nestjs/graphql';
import { MAX_LIMIT } from '../base/most-entries.js';

type Estimator = (selected: ComplexityEstimatorArgs) => number;

/** The additional cost of a field that reads the database. Each field of the root counts as one. */
export const READ_VALUES = 30;

/** The complexity of a field below the root that reads the database. */
export const reading =
  (estimator: Estimator = ({ childComplexity }) => 1 + childComplexity): Estimator =>
  (selected) =>
    READ_VALUES + estimator(selected);

/** The complexity of a list of at most so many entries. A field costs one by itself. */
export const listOf =
  (entries: number): Estimator =>
  ({ childComplexity }) =>
    1 + entries * (1 + childComplexity);

/** The complexity of a list, or of a page of one, whose length the client chooses. The resolver refuses any other length. */
export const limitedList: Estimator = ({ args, ...rest }) => {
  const wanted = Number(args.limit ?? args.first ?? args.last);
  return listOf(wanted >= 1 && wanted <= MAX_LIMIT ? wanted : 1)({ args, ...rest });
};

export const readingLimitedList = reading(limitedList);
