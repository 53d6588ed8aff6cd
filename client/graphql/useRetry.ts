import { useCallback } from 'react';

/** Asks again. The query itself holds the result, and a failure too. */
export function useRetry(refetch: () => Promise<unknown>): () => void {
  return useCallback(() => void refetch().catch(() => undefined), [refetch]);
}
