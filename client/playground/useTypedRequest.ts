import { tryParseJSONC, useGraphiQL } from '@graphiql/react';
import type { TypedHeaders, TypedRequest } from './request.js';

/** Returns a function that reads the operation in the editors. It throws when variables or headers are no JSON. */
export function useTypedRequest(): () => { request: TypedRequest; headers: TypedHeaders | undefined } {
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const headerEditor = useGraphiQL((state) => state.headerEditor);
  const operationName = useGraphiQL((state) => state.operationName);
  return () => ({
    request: {
      query: queryEditor?.getValue() ?? '',
      variables: tryParseJSONC(variableEditor?.getValue()),
      operationName,
    },
    headers: tryParseJSONC(headerEditor?.getValue()),
  });
}
