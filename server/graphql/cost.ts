import {
  type DocumentNode,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  TypeInfo,
  ValidationContext,
} from 'graphql';
import { type ComplexityEstimator, createComplexityRule, fieldExtensionsEstimator } from 'graphql-query-complexity';
import { Derived } from '../base/lru-cache.js';
import { listOf, READ_VALUES } from '../limits/field.js';
import { asRefusal } from './errors.js';

const VALUES_PER_POINT = 100;

/** The points for parsing and validating a document that is not known. */
export const NEW_DOCUMENT_POINTS = 2;

/** Enough for the introspection query of tools. An operation of this size takes a few milliseconds of CPU time. */
export const MAX_VALUES = 7_500;

/** The values in `variables`, which cost time before any field is resolved. A document may have as many. */
const MAX_INPUT_VALUES = 100;

/** The average number of entries of a list of introspection. Other fields have Nest's option `complexity`. */
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

export interface CostedOperation {
  readonly schema: GraphQLSchema;
  /** Valid and within the limits. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables?: Readonly<Record<string, unknown>> | null;
}

export function pointsFor(values: number): number {
  return Math.max(1, Math.round(values / VALUES_PER_POINT));
}

/**
 * Estimates how many values the answer can contain, and adds the cost of fields that read the database.
 * @throws {GraphQLError} BAD_USER_INPUT for wrong variables and arguments, before graphql looks at them once more
 */
export function valuesOf({ schema, document, operation, variables: given }: CostedOperation): number {
  const variables = given ?? {};
  if (isOver(MAX_INPUT_VALUES, variables)) {
    throw wrongInput(`The variables have more than ${MAX_INPUT_VALUES} values.`);
  }
  const { variableDefinitions = [] } = operation;
  const { errors } = getVariableValues(schema, variableDefinitions, variables, { maxErrors: 1 });
  if (errors) throw wrongInput(errors[0]!.message);
  const known = variableDefinitions.map(({ variable: { name } }) => kindOf(variables[name.value])).join();
  return estimates.of(operation, known, () => estimate({ schema, document, operation, variables }));
}

/** How many sets of lengths a client may choose for an operation, of which each is estimated once. */
const SETS = 50;
const estimates = new Derived<OperationDefinitionNode, string, number>(SETS);

/**
 * What the cost depends on. A number can be the length of a list, and a boolean can leave out a field; null can be wrong for an
 * argument. No other value changes the cost, and there are no input objects.
 */
const kindOf = (value: unknown): string =>
  typeof value === 'string' || (typeof value === 'object' && value !== null) ? 'given' : String(value);

function estimate({ schema, document, operation, variables }: Required<CostedOperation>): number {
  const context = new ValidationContext(schema, document, new TypeInfo(schema), (error) => {
    throw error;
  });
  const estimators = [estimatorOf(schema)];
  const rule = createComplexityRule({ estimators, maximumComplexity: Infinity, variables: variables ?? {} })(context);
  try {
    // `getComplexity` would visit the whole document, which takes two to three times as long.
    rule.onOperationDefinitionEnter(operation);
  } catch (error) {
    throw error instanceof GraphQLError ? wrongInput(error.message) : error;
  }
  return rule.complexity;
}

function estimatorOf(schema: GraphQLSchema): ComplexityEstimator {
  const roots: readonly unknown[] = [schema.getQueryType(), schema.getMutationType()];
  const ofField = fieldExtensionsEstimator();
  return (selected) => {
    const { type, field, childComplexity } = selected;
    const name = `${type.name}.${field.name}`;
    const entries = name === '__Schema.types' ? Object.keys(schema.getTypeMap()).length : INTROSPECTION[name];
    const values = entries === undefined ? Number(ofField(selected) ?? 1 + childComplexity) : listOf(entries)(selected);
    const reads = roots.includes(type) && field.name !== '__typename';
    return values + (reads ? READ_VALUES : 0);
  };
}

const wrongInput = (message: string) => asRefusal(message, 'BAD_USER_INPUT');

/** Whether there are more values, with all that is in them. */
function isOver(most: number, variables: object): boolean {
  const waiting: unknown[] = Object.values(variables);
  for (let seen = 0; waiting.length > 0; seen++) {
    if (seen + waiting.length > most) return true;
    const value = waiting.pop();
    if (typeof value === 'object' && value !== null) waiting.push(...(Object.values(value) as unknown[]));
  }
  return false;
}
