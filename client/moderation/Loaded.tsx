import { CombinedGraphQLErrors } from '@apollo/client';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.js';

/** The server's sentence, where it has answered. */
export function sentenceOf(problem: unknown): string {
  if (CombinedGraphQLErrors.is(problem)) return problem.message;
  return 'The server could not be reached. Please check your connection and try again.';
}

interface Query<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly refetch: () => Promise<unknown>;
}

/** The answer to a query, or that it is on the way, or why there is none. */
export function Loaded<Data>({ query, children }: { query: Query<Data>; children: (data: Data) => ReactNode }) {
  if (query.data) return children(query.data);
  if (!query.error) return <p role="status">Loading…</p>;
  return (
    <div className="moderation-alone">
      <p role="alert">{sentenceOf(query.error)}</p>
      <Button onClick={() => void query.refetch().catch(() => undefined)}>Try again</Button>
    </div>
  );
}
