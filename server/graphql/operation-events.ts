import { type FieldNode, type GraphQLFormattedError, Kind, type OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../web/requests/request-context.js';

/** Names the operation of a request. It must be valid, so that its name is a field of the schema. */
export function operationBegins(operation: OperationDefinitionNode, context: RequestContext): void {
  context.operation = nameOf(operation);
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
