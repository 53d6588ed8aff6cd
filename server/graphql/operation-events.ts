import {
  type DocumentNode,
  type FieldNode,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { Observed } from '../base/observed.js';
import type { RequestContext } from '../web/requests/request-context.js';

/** An operation uses a field that the schema deprecates, such as `Query.myStats`. */
export const deprecatedFieldsUsed = new Observed<{ readonly field: string }>('operation.deprecated-field');

/** A valid operation of a document. */
interface ValidOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** Names the operation of a request. It must be valid, so that its name is a field of the schema. */
export function operationBegins(operation: OperationDefinitionNode, context: RequestContext): void {
  context.operation = nameOf(operation);
}

export function noteDeprecatedFields(valid: ValidOperation): void {
  if (!deprecatedFieldsUsed.hasSubscribers) return;
  for (const field of deprecatedIn(valid)) deprecatedFieldsUsed.publish({ field });
}

const deprecated = new WeakMap<OperationDefinitionNode, ReadonlySet<string>>();

/** The deprecated fields of an operation and its fragments. Documents stay in memory, and each is searched once. */
function deprecatedIn({ schema, document, operation }: ValidOperation): ReadonlySet<string> {
  const known = deprecated.get(operation);
  if (known) return known;
  const found = new Set<string>();
  const types = new TypeInfo(schema);
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const noteField = () => {
    const field = types.getFieldDef();
    if (field?.deprecationReason != null) found.add(`${types.getParentType()!.name}.${field.name}`);
  };
  visit({ ...document, definitions: [operation, ...fragments] }, visitWithTypeInfo(types, { Field: noteField }));
  deprecated.set(operation, found);
  return found;
}

/** Keeps the codes of the errors in the answer. They are read later, because they can still be replaced. */
export function operationEnds(
  errors: () => readonly GraphQLFormattedError[] | undefined,
  context: RequestContext,
): void {
  if (errors()) context.errorCodes = () => [...codesOf(errors())];
}

/** The codes of the errors in an answer, each once. */
export const codesOf = (errors: readonly GraphQLFormattedError[] | undefined): ReadonlySet<string> =>
  new Set(errors?.map(codeOf));

function codeOf({ extensions }: GraphQLFormattedError): string {
  return typeof extensions?.code === 'string' ? extensions.code : 'UNKNOWN';
}

/** The root field. A client chooses the operation's own name, which could be anything. */
function nameOf({ selectionSet: { selections } }: OperationDefinitionNode): string {
  const fields = new Set(
    selections.map((selection) => (selection.kind === Kind.FIELD ? rootOf(selection) : 'several')),
  );
  const [name = 'several'] = fields;
  return fields.size === 1 ? name : 'several';
}

function rootOf({ name: { value } }: FieldNode): string {
  return value.startsWith('__') ? 'introspection' : value;
}
