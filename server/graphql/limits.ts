import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  specifiedRules,
  validate,
  visit,
} from 'graphql';

/** The lexer stops here, before anything is built from a long text. The introspection query has about 350. */
export const maxTokens = 1_000;

/** graphql stops to validate after so many errors: each costs time, and nobody reads more. */
export const maxErrors = 5;

/**
 * What one document may hold. The text is counted once; fields, aliases and repeats are counted over all of its operations,
 * fragments included wherever they are spread. Our widest screen needs depth 3.
 */
const MOST = {
  definitions: 20,
  variables: 20,
  values: 100,
  directives: 20,
  nesting: 20,
  fragments: 60,
  depth: 8,
  rootFields: 10,
  aliases: 15,
  fields: 250,
  repeats: 30,
} as const;

const NOUNS: Record<keyof typeof MOST, string> = {
  definitions: 'operations and fragments',
  variables: 'variables',
  values: 'arguments and values',
  directives: 'directives',
  nesting: 'levels of braces',
  fragments: 'fragments, counted wherever they stand or are spread',
  depth: 'levels of fields',
  rootFields: 'fields at the top',
  aliases: 'aliases',
  fields: 'fields, fragments included',
  repeats: 'fields that are asked for more than once',
};

type Counts = Record<keyof typeof MOST, number>;

/**
 * Why a document is too costly, if it is. It stands alone and before graphql's own validation, whose time grows with the
 * square of some of these counts. Introspection is exempt from depth, because tools nest it deeply; graphql's own rule
 * keeps it from going in circles.
 */
export function overLimit(document: DocumentNode): GraphQLError | undefined {
  // A document whose text alone is too much need not be walked.
  return refusalOf(countText(document)) ?? refusalOfSelections(document);
}

/** What is wrong with a document: over a limit, or else not valid. */
export function problemsOf(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const over = overLimit(document);
  return over ? [over] : validate(schema, document, specifiedRules, { maxErrors });
}

function refusalOf(counts: Partial<Counts>): GraphQLError | undefined {
  const over = (Object.keys(MOST) as (keyof typeof MOST)[]).find((limit) => (counts[limit] ?? 0) > MOST[limit]);
  if (!over) return undefined;
  return new GraphQLError(
    `This document has more than ${MOST[over]} ${NOUNS[over]}. Ask for less, or in several requests.`,
  );
}

function countText(document: DocumentNode): Pick<Counts, 'definitions' | 'variables' | 'values' | 'directives'> {
  const counts = { definitions: document.definitions.length, variables: 0, values: 0, directives: 0 };
  const value = () => void (counts.values += 1);
  visit(document, {
    VariableDefinition: () => void (counts.variables += 1),
    Directive: () => void (counts.directives += 1),
    Argument: value,
    ListValue: value,
    ObjectField: value,
    IntValue: value,
    StringValue: value,
    EnumValue: value,
  });
  return counts;
}

function refusalOfSelections(document: DocumentNode): GraphQLError | undefined {
  const counts = {
    nesting: 0,
    fragments: 0,
    depth: 0,
    rootFields: 0,
    aliases: 0,
    fields: 0,
    repeats: 0,
    directives: 0,
  };
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  const reached = new Set<string>();
  const spread = new Set<string>();
  let seen = new Set<string>();
  let rootFields = 0;

  const add = (set: SelectionSetNode, path: string, nesting: number, depth: number, introspection: boolean): void => {
    counts.nesting = Math.max(counts.nesting, nesting);
    for (const node of set.selections) {
      // Fragments within fragments grow without bound: what is over a limit already need not be counted to its end.
      if (counts.fields > MOST.fields || counts.nesting > MOST.nesting) return;
      counts.fields += 1;
      counts.directives += node.directives?.length ?? 0;
      if (node.kind !== Kind.FIELD) counts.fragments += 1;
      if (node.kind === Kind.FIELD) {
        const inside = introspection || node.name.value.startsWith('__');
        const own = `${path} ${node.alias?.value ?? node.name.value}`;
        if (depth === 1) rootFields += 1;
        if (node.alias) counts.aliases += 1;
        if (!inside) counts.depth = Math.max(counts.depth, depth);
        // graphql compares every two fields that answer under one name.
        if (seen.has(own)) counts.repeats += 1;
        seen.add(own);
        if (node.selectionSet) add(node.selectionSet, own, nesting + 1, depth + 1, inside);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        add(node.selectionSet, path, nesting + 1, depth, introspection);
      } else {
        const name = node.name.value;
        const fragment = fragments.get(name);
        // A circle is another rule's to report; here it only must not be walked.
        if (!fragment || spread.has(name)) continue;
        reached.add(name);
        spread.add(name);
        add(fragment.selectionSet, path, nesting + 1, depth, introspection);
        spread.delete(name);
      }
    }
  };
  for (const { selectionSet } of operations) {
    seen = new Set();
    rootFields = 0;
    add(selectionSet, '', 1, 1, false);
    counts.rootFields = Math.max(counts.rootFields, rootFields);
  }
  // A fragment that no operation reaches has not been counted, and graphql would still compare its fields.
  const unused = [...fragments.keys()].find((name) => !reached.has(name));
  return (
    refusalOf(counts) ?? (unused === undefined ? undefined : new GraphQLError(`Fragment "${unused}" is never used.`))
  );
}
