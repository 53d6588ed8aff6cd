import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  valueFromASTUntyped,
} from 'graphql';

/** What a field at the top costs by itself, as values: it asks the database or signs a ticket. */
const ROOT_VALUES = 30;

/** So many values cost one point of the address's allowance. */
const VALUES_A_POINT = 100;

/** More values than the introspection of tools asks for. Such an operation takes a few milliseconds of the processor. */
export const MAX_VALUES = 5_000;

/** No list of ours takes a higher limit. */
const MAX_ENTRIES = 100;

/** How many entries a list without a `limit` has: of ours at most, of introspection on average. */
export const ENTRIES: Readonly<Record<string, number>> = {
  'Game.moves': 9,
  'Mutation.endOtherSessions': 100,
  'Mutation.endSession': 100,
  'Query.mySessions': 100,
  'Subscription.leaderboard': 10,
  '__Schema.directives': 6,
  '__Directive.args': 1,
  '__Directive.locations': 5,
  '__Field.args': 0.5,
  '__Type.enumValues': 2,
  '__Type.fields': 4,
  '__Type.inputFields': 0.1,
  '__Type.interfaces': 0.1,
  '__Type.possibleTypes': 0.1,
  // No list, but there in one of three: a type around another.
  '__Type.ofType': 0.35,
};

/** What one value stands for, where it is a whole document. */
const DOCUMENTS: Readonly<Record<string, number>> = { 'Query.exportAccount': 2_000 };

/** What the cost of an operation follows from, all of it validated. */
export interface CostedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Points of the allowance for an operation with so many values: at least the one that every request costs. */
export function pointsFor(values: number): number {
  return Math.max(1, Math.round(values / VALUES_A_POINT));
}

/**
 * How many values the answer may hold, and what the fields at the top cost beside. It expects a document within the
 * limits and valid, whose fragments do not go in circles.
 */
export function valuesOf({ schema, document, operation, variables }: CostedOperation): number {
  const defaults = operation.variableDefinitions?.map(
    ({ variable, defaultValue }) => [variable.name.value, defaultValue && valueFromASTUntyped(defaultValue)] as const,
  );
  const values = { ...Object.fromEntries(defaults ?? []), ...variables };
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const part of document.definitions) {
    if (part.kind === Kind.FRAGMENT_DEFINITION) fragments.set(part.name.value, part);
  }

  const ofSelections = (set: SelectionSetNode, parent: GraphQLNamedType): number => {
    let sum = 0;
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        sum += ofField(node, parent);
        continue;
      }
      const part = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      const type = part?.typeCondition && schema.getType(part.typeCondition.name.value);
      if (part) sum += ofSelections(part.selectionSet, type ?? parent);
    }
    return sum;
  };

  const ofField = (node: FieldNode, parent: GraphQLNamedType): number => {
    const field = fieldOf(schema, parent, node.name.value);
    if (!field) return 1;
    const own = DOCUMENTS[`${parent.name}.${field.name}`] ?? 1;
    const inside = node.selectionSet ? 1 + ofSelections(node.selectionSet, getNamedType(field.type)) : own;
    const many = isListType(getNullableType(field.type)) || field.name === 'ofType';
    return many ? 1 + entriesOf(node, parent, field) * inside : inside;
  };

  const entriesOf = (node: FieldNode, parent: GraphQLNamedType, field: GraphQLField<unknown, unknown>): number => {
    if (field.name === 'types') return Object.keys(schema.getTypeMap()).length;
    const limit = field.args.find(({ name }) => name === 'limit');
    if (!limit) return ENTRIES[`${parent.name}.${field.name}`] ?? 1;
    const given = node.arguments?.find(({ name }) => name.value === 'limit')?.value;
    const wanted = given ? valueFromASTUntyped(given, values) : undefined;
    if (wanted === undefined) return Number(limit.defaultValue);
    // Any other limit is refused before a list is made.
    return typeof wanted === 'number' && wanted > 1 && wanted <= MAX_ENTRIES ? wanted : 1;
  };

  const root = schema.getRootType(operation.operation)!;
  return ofSelections(operation.selectionSet, root) + ROOT_VALUES * rootFieldsOf(operation.selectionSet, fragments);
}

function rootFieldsOf(set: SelectionSetNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): number {
  return set.selections.reduce((sum, node) => {
    if (node.kind === Kind.FIELD) return sum + (node.name.value === '__typename' ? 0 : 1);
    const inner = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
    return sum + (inner ? rootFieldsOf(inner.selectionSet, fragments) : 0);
  }, 0);
}

function fieldOf(
  schema: GraphQLSchema,
  parent: GraphQLNamedType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (parent === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return isObjectType(parent) ? parent.getFields()[name] : undefined;
}
