import { Extensions } from '@nestjs/graphql';

/** What the server must know of a field of GraphQL beside its type. */
export interface FieldLimits {
  /** The number of entries of a list without a `limit`: the most that there are. */
  readonly entries?: number;
  /**
   * Whether the field takes a turn for the database, as each field below the root that reads it must. A field of the root takes
   * one unless it says `none`: it shares statements with other requests, or takes a turn itself.
   */
  readonly turn?: 'reads' | 'none';
}

export const Limits = (limits: FieldLimits) => Extensions({ limits });

export const limitsOf = ({ extensions }: { readonly extensions: { readonly limits?: unknown } }): FieldLimits =>
  (extensions.limits ?? {}) as FieldLimits;
