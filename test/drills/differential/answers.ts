import type { Answer, Request } from './side.js';

/**
 * The answer without what differs between two servers: a result that was reported without a key has a random id, and of two
 * fields that fail, either may be the first.
 */
export function comparable(answer: Answer): Answer {
  const body: unknown = JSON.parse(JSON.stringify(answer.body), (name, value: unknown) => {
    if (name === 'locations' || name === 'path') return undefined;
    if (typeof value !== 'object' || value === null) return value;
    return 'source' in value && value.source === 'reported' ? { ...value, id: 'of a report' } : value;
  });
  return { status: answer.status, body };
}

interface Finished {
  readonly __typename?: string;
  readonly game?: { readonly id: string; readonly result: string };
  readonly reason?: string;
}

export function finishedIn({ body }: Answer): Finished {
  return (body as { data?: { finishGame?: Finished } | null }).data?.finishGame ?? {};
}

/** What became of a game, a report or a move. */
export function outcomeOf({ status, body }: Answer): string {
  const { data } = body as { data?: Record<string, Finished | undefined> | null };
  const [first] = Object.values(data ?? {});
  return first?.reason ?? first?.__typename ?? `status ${status}`;
}

/** Short enough for a line. */
export function inWords({ path, body, key }: Request): string {
  const { variables } = (body ?? {}) as { variables?: object };
  return `${path} ${JSON.stringify(variables ?? body)}${key ? ` with the key ${key}` : ''}`;
}
