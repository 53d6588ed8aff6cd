import { useEffect, useRef } from 'react';
import { useRetry } from '../graphql/useRetry.js';

/** Fetches again when the entries change, except for the first ones. */
export function useRefetch(entries: unknown, refetch: () => Promise<unknown>): void {
  const retry = useRetry(refetch);
  const fetchedFor = useRef(entries);

  useEffect(() => {
    const first = fetchedFor.current === null;
    if (entries === null || fetchedFor.current === entries) return;
    fetchedFor.current = entries;
    // After a failure, the last place stays visible.
    if (!first) retry();
  }, [entries, retry]);
}
