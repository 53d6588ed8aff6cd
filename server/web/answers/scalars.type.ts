import { GraphQLISODateTime } from '@nestjs/graphql';
import { GraphQLScalarType } from 'graphql';

// Nest's scalar `DateTime` has no address of its specification.
GraphQLISODateTime.specifiedByURL = 'https://scalars.graphql.org/andimarek/date-time.html';

/** A UTC day, or a week by its Monday. Older fields have it as a String. Only answers contain it. */
export const Day = new GraphQLScalarType({
  name: 'Date',
  description: 'A day in UTC, such as 2026-11-23.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
});
