import type { Type } from '@nestjs/common';
import { createUnionType, registerEnumType } from '@nestjs/graphql';

/** What a value means, and the sentence for players where it is another one. */
type Meaning = string | { readonly meaning: string; readonly sentence: string };

export const sentenceIn = (meaning: Meaning): string => (typeof meaning === 'string' ? meaning : meaning.sentence);

/** An enum of the schema, by its values and what they mean. @returns its values */
export function enumOf<Value extends string>(
  name: string,
  description: string,
  meanings: Readonly<Record<Value, Meaning>>,
) {
  const entries = Object.entries<Meaning>(meanings);
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
