import { useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { gamesIn, type Stats } from '../../game/scoring.js';
import { MyStatsDocument, type MyStatsQuery } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { storedStats, type StoredStats } from '../storedStats.js';
import { listen } from '../ui/listen.js';

/** After this time the game appears without the stats. */
const LOADING_LIMIT_MS = 3000;
/** The specification asks for two fetches after a save: the game's and the stats'. */
const REFETCH_AFTER_SAVE_MS = [300, 500];
/** Prevents a fetch at every change between tabs. */
const FRESH_MS = 5000;

export function useStats(playerId: string) {
  const { data, error, loading, refetch } = useQuery(MyStatsDocument);
  const { stored, update, takeStored } = useStoredStats(playerId);

  const answered = data?.me.stats;
  useEffect(() => {
    if (answered) update(answered);
  }, [answered, update]);

  useEffect(() => {
    if (error) console.warn(messages.stats.failed, error);
  }, [error]);

  const [timedOut, setTimedOut] = useState(false);
  useEffect(() => {
    const limit = setTimeout(() => setTimedOut(true), LOADING_LIMIT_MS);
    return () => clearTimeout(limit);
  }, []);

  const fetches = useFetches(refetch, update, Boolean(error));

  return {
    /**
     * The last stats from the server, in this visit or an earlier one; null when unknown. Not first `answered`: Apollo does not
     * change it while a request is on its way.
     */
    stats: stored?.stats ?? answered ?? null,
    /** When the server sent the stats, by this computer's clock, if it does not answer now. Otherwise null. */
    asOf: answered && !error ? null : (stored?.at ?? null),
    /** True until the first answer, failure or timeout. */
    loading: loading && !data && !timedOut,
    /** Takes stats from other answers of the server. */
    update,
    /** Takes the stats that another tab has stored, before their event arrives. */
    takeStored,
    ...fetches,
  };
}

/**
 * The last known stats, which this browser stores for the time without a network, and the functions that replace them: by an
 * answer to this tab, which can have fewer games because an operator can void some, or by more games of another tab.
 */
function useStoredStats(playerId: string) {
  const [stored, setStored] = useState(() => storedStats.get(playerId));
  const unmounted = useRef(false);
  useEffect(() => {
    unmounted.current = false;
    return () => {
      unmounted.current = true;
    };
  }, []);

  const update = useCallback(
    (stats: Stats) => {
      // Do not store an answer that arrives after the sign-out.
      if (unmounted.current) return;
      storedStats.set(playerId, stats);
      setStored({ stats, at: Date.now() });
    },
    [playerId],
  );

  const takeNewer = useCallback((other: StoredStats | null) => {
    setStored((known) => (other && !(known && gamesIn(other.stats) <= gamesIn(known.stats)) ? other : known));
  }, []);
  useEffect(
    // Not from the storage: this tab may have stored an older answer since.
    () => listen(window, 'storage', (event) => takeNewer(storedStats.fromEvent(playerId, event))),
    [playerId, takeNewer],
  );
  const takeStored = useCallback(() => takeNewer(storedStats.get(playerId)), [playerId, takeNewer]);

  return { stored, update, takeStored };
}

/**
 * Fetches the stats again: after a save, when the tab becomes visible, and, after a failure, when the network returns or a
 * game starts.
 */
function useFetches(
  refetch: useQuery.Result<MyStatsQuery>['refetch'],
  update: (stats: Stats) => void,
  failed: boolean,
) {
  const fetchedAt = useRef(-Infinity);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);

  const fetchAgain = useCallback(() => {
    fetchedAt.current = performance.now();
    refetch().then(
      (answer) => answer.data && update(answer.data.me.stats),
      // An effect already logs `error`.
      () => undefined,
    );
  }, [refetch, update]);

  const refetchSoon = useCallback(() => {
    timers.current.forEach(clearTimeout);
    timers.current = REFETCH_AFTER_SAVE_MS.map((delay) => setTimeout(fetchAgain, delay));
  }, [fetchAgain]);

  useEffect(() => {
    fetchedAt.current = performance.now();
    return () => timers.current.forEach(clearTimeout);
  }, []);

  const retryIfFailed = useCallback(() => void (failed && fetchAgain()), [failed, fetchAgain]);

  useEffect(() => listen(window, 'online', retryIfFailed), [retryIfFailed]);

  useEffect(() => {
    const onVisible = () => {
      if (!document.hidden && performance.now() - fetchedAt.current >= FRESH_MS) fetchAgain();
    };
    return listen(document, 'visibilitychange', onVisible);
  }, [fetchAgain]);

  // The first is for after a save, the second for the start of a game.
  return { refetchSoon, retryIfFailed };
}
