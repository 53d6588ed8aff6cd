import type { Type } from '@nestjs/common';
import { createUnionType, Field, ObjectType, registerEnumType } from '@nestjs/graphql';
import { RefusalType } from './refusals.js';

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

/** The type of a refusal that a union expects, with the enum of its reasons. @param what is refused, such as "name" */
export function refusedType<Reason extends string>(
  name: string,
  what: string,
  meanings: Readonly<Record<Reason, Meaning>>,
) {
  const reasons = enumOf(`${name}RefusalReason`, `Why the server refuses a ${what}.`, meanings);
  const description = `The server refuses the ${what}. Nothing has changed.`;

  @ObjectType(`${name}Refused`, { description, implements: () => [RefusalType] })
  class Refused extends RefusalType {
    @Field(() => reasons as object, { description: 'The reason, for programs.' })
    reason!: Reason;
  }
  return Refused;
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
