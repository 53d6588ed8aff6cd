import type { Type } from '@nestjs/common';
import { createUnionType, registerEnumType } from '@nestjs/graphql';

interface Meaning {
  readonly meaning: string;
}

/** An enum of the schema, by its values and what they mean. @returns its values */
export function enumOf<Value extends string>(
  name: string,
  description: string,
  meanings: Readonly<Record<Value, string | Meaning>>,
) {
  const entries = Object.entries<string | Meaning>(meanings);
  const values = Object.fromEntries(entries.map(([value]) => [value, value])) as { [Name in Value]: Name };
  const valuesMap = Object.fromEntries(
    entries.map(([value, said]) => [value, { description: typeof said === 'string' ? said : said.meaning }]),
  );
  registerEnumType<Record<string, string>>(values, { name, description, valuesMap });
  return values;
}

/** The union of what a mutation has done, and of why it is refused. */
export function answerOf<Done extends object, Refused extends object>(
  name: string,
  description: string,
  done: Type<Done>,
  refused: Type<Refused>,
) {
  return createUnionType({
    name,
    description,
    types: () => [done, refused] as const,
    resolveType: (answer: Done | Refused) => ('reason' in answer ? refused : done),
  });
}
