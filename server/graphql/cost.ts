import {
  type DocumentNode,
  type FieldNode,
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
import { limitsOf } from '../limits/field.js';
import { fragmentsOf } from './limits.js';

/** The extra cost of a root field, in values: it queries the database or signs a ticket. */
const ROOT_VALUES = 30;

const VALUES_PER_POINT = 100;

/** Enough for the introspection query of tools. An operation of this size takes a few milliseconds of CPU time. */
export const MAX_VALUES = 7_500;

/** The highest `limit` or `first` that any of our lists accepts. */
const MAX_LIMIT = 100;

/** The fields of the root for introspection. No type lists them. */
const META_FIELDS = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]));

/** The average number of entries of a list of introspection, by type and name. Other fields say it beside their resolver. */
export const INTROSPECTION: Readonly<Record<string, number>> = {
  '__Directive.args': 1,
  '__Directive.locations': 5,
  '__Field.args': 0.2,
  '__Schema.directives': 6,
  '__Type.enumValues': 1.2,
  '__Type.fields': 3.5,
  '__Type.inputFields': 0.1,
  '__Type.interfaces': 0.1,
  // Not a list: about one type in three wraps another.
  '__Type.ofType': 0.35,
  '__Type.possibleTypes': 0.2,
};

/** A validated operation and everything that determines its cost. */
export interface CostedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables?: Readonly<Record<string, unknown>>;
}

export function pointsFor(values: number): number {
  return Math.max(1, Math.round(values / VALUES_PER_POINT));
}

interface Known {
  /** The variables that are limits of lists. */
  readonly limits: ReadonlyMap<string, unknown>;
  readonly values: number;
}

/** The last estimate of each operation: only the limits of its lists can change it. */
const lastKnown = new WeakMap<OperationDefinitionNode, Known>();

/**
 * Estimates how many values the response can contain, and adds the cost of the root fields. The document must be valid and
 * within the limits, because cyclic fragments would never end.
 */
export function valuesOf(costed: CostedOperation): number {
  const { operation, variables = {} } = costed;
  const last = lastKnown.get(operation);
  if (last && [...last.limits].every(([name, value]) => variables[name] === value)) return last.values;
  const known = estimate(costed);
  lastKnown.set(operation, known);
  return known.values;
}

function estimate({ schema, document, operation, variables }: CostedOperation): Known {
  const values = { ...defaultsOf(operation), ...variables };
  const fragments = fragmentsOf(document);
  const root = schema.getRootType(operation.operation)!;
  const limits = new Map<string, unknown>();

  /** @param first how many entries the list `edges` has, where the selections are of a connection */
  const costOfSelections = (set: SelectionSetNode, parent: GraphQLNamedType, first: number): number => {
    let sum = 0;
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        sum += costOfField(node, parent, first);
        continue;
      }
      const part = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      const type = part?.typeCondition && schema.getType(part.typeCondition.name.value);
      if (part) sum += costOfSelections(part.selectionSet, type ?? parent, first);
    }
    return sum;
  };

  const costOfField = (node: FieldNode, parent: GraphQLNamedType, first: number): number => {
    const field = META_FIELDS.get(node.name.value) ?? (isObjectType(parent) && parent.getFields()[node.name.value]);
    if (!field) return 1;
    const name = `${parent.name}.${field.name}`;
    const entries = entriesOf(node, name, field);
    const repeats = isListType(getNullableType(field.type)) || field.name === 'ofType';
    const inside = repeats ? 1 : (entries ?? 1);
    const entryCost = node.selectionSet ? 1 + costOfSelections(node.selectionSet, getNamedType(field.type), inside) : 1;
    const reads = parent === root || limitsOf(field).turn !== undefined;
    return (reads ? ROOT_VALUES : 0) + (repeats ? 1 + (entries ?? first) * entryCost : entryCost);
  };

  const entriesOf = (node: FieldNode, name: string, field: GraphQLField<unknown, unknown>): number | undefined => {
    if (field.name === 'types') return Object.keys(schema.getTypeMap()).length;
    const limit = field.args.find(({ name }) => name === 'limit' || name === 'first');
    if (!limit) return INTROSPECTION[name] ?? limitsOf(field).entries;
    const argument = node.arguments?.find(({ name }) => name.value === limit.name)?.value;
    const value = argument ? valueFromASTUntyped(argument, values) : undefined;
    if (argument?.kind === Kind.VARIABLE) limits.set(argument.name.value, variables?.[argument.name.value]);
    if (value === undefined) return Number(limit.defaultValue);
    // The resolver refuses any other limit.
    return typeof value === 'number' && value > 1 && value <= MAX_LIMIT ? value : 1;
  };

  return { limits, values: costOfSelections(operation.selectionSet, root, 1) };
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && valueFromASTUntyped(defaultValue),
    ]),
  );
}
