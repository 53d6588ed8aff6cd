import { useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import { MyChallengeDocument } from '../graphql/generated.js';
import type { MyChallengeQuery } from '../graphql/generated.js';
import { useRetry } from '../graphql/useRetry.js';
import { listen } from '../ui/listen.js';
import { serverNow } from '../ui/time/clock.js';

/** The server's clock may be a moment behind. */
const AFTER_MIDNIGHT_MS = 1_000;
/** An answer that the server gave before midnight can arrive after it. */
const SAME_DAY_AGAIN_MS = 5_000;

export type MyChallenge = MyChallengeQuery['myChallenge'];

/** Loads the player's challenge, and again when the day changes or the player comes back to the page. */
export function useMyChallenge() {
  const { data, error, refetch } = useQuery(MyChallengeDocument, {
    fetchPolicy: 'cache-and-network',
    notifyOnNetworkStatusChange: false,
  });
  const mine = data?.myChallenge ?? null;
  const endsAt = mine?.endsAt;
  const reload = useRetry(refetch);

  useEffect(() => {
    if (!endsAt) return;
    const left = Date.parse(endsAt) - serverNow();
    const reloadUntilNextDay = () => {
      void reload();
      timer = setTimeout(reloadUntilNextDay, SAME_DAY_AGAIN_MS);
    };
    let timer = setTimeout(reloadUntilNextDay, left + AFTER_MIDNIGHT_MS);
    return () => clearTimeout(timer);
  }, [endsAt, reload]);

  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && reload();
    return listen(document, 'visibilitychange', look);
  }, [reload]);

  return { mine, failed: Boolean(error) && !mine, reload };
}
