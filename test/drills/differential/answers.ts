import type { Answer, Request } from './side.js';

/** The answer without what differs between two servers: a result that was reported without a key has a random id. */
export function comparable(answer: Answer): Answer {
  const body: unknown = JSON.parse(JSON.stringify(answer.body), (_name, value: unknown) => {
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

/** Short enough for a line. */
export function inWords({ path, body, key }: Request): string {
  const { variables } = (body ?? {}) as { variables?: object };
  return `${path} ${JSON.stringify(variables ?? body)}${key ? ` with the key ${key}` : ''}`;
}
