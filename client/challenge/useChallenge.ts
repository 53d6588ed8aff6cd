import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Square } from '../../game/board.js';
import { BOT_MOVE_DELAY } from '../../game/bot.js';
import type { Stats } from '../../game/scoring.js';
import { MyChallengeDocument, PlayChallengeMoveDocument, StartChallengeGameDocument } from '../graphql/generated.js';
import type { ChallengeGamesFragment, MyChallengeQuery } from '../graphql/generated.js';
import { serverNow } from '../ui/time/clock.js';
import { gameOnBoard, gameToStart, isUnderWay, newest, nextMove } from './attempt.js';
import type { PendingMove } from './attempt.js';

/** The server's clock may be a moment behind. */
const AFTER_MIDNIGHT_MS = 1_000;

export type Trouble = 'offline' | 'offlineStart' | 'elsewhere' | 'dayOver';
export type MyChallenge = MyChallengeQuery['myChallenge'];
export type Challenge = ReturnType<typeof useChallenge>;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Loads the player's challenge, and again when the day changes or the player comes back to the page. */
export function useMyChallenge() {
  const { data, error, refetch } = useQuery(MyChallengeDocument, {
    fetchPolicy: 'cache-and-network',
    notifyOnNetworkStatusChange: false,
  });
  const mine = data?.myChallenge ?? null;
  const endsAt = mine?.endsAt;
  // `failed` holds the result, and a later look at the page tries again.
  const reload = useCallback(() => refetch().catch(() => undefined), [refetch]);

  useEffect(() => {
    if (!endsAt) return;
    const left = Date.parse(endsAt) - serverNow();
    const timer = setTimeout(() => void reload(), Math.max(0, left) + AFTER_MIDNIGHT_MS);
    return () => clearTimeout(timer);
  }, [endsAt, reload]);

  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void reload();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [reload]);

  return { mine, failed: Boolean(error) && !mine, reload };
}

/** Plays the challenge. The server answers each move during the half second that the bot takes. */
export function useChallenge(onCounted: (stats: Stats) => void) {
  const client = useApolloClient();
  const { mine: loaded, failed, reload } = useMyChallenge();
  /** The attempt of the last answer to a start or a move. */
  const [played, setPlayed] = useState<ChallengeGamesFragment | null>(null);
  const mine = loaded && { ...loaded, attempt: newest(loaded.attempt, played) };
  const [pending, setPending] = useState<PendingMove | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [starting, setStarting] = useState(false);
  /** The number of the finished game that is still on the board. */
  const [finished, setFinished] = useState<number | null>(null);
  const sending = useRef(false);

  const games = mine?.attempt.games ?? [];
  const day = mine?.attempt.day;
  const shown = games.find(isUnderWay) ?? games.find(({ number }) => number === finished) ?? null;

  const waiting = pending?.day === day ? pending : null;

  const take = useCallback(
    (attempt: ChallengeGamesFragment) => {
      setPlayed(attempt);
      client.cache.updateQuery({ query: MyChallengeDocument }, (known) =>
        known?.myChallenge.attempt.day === attempt.day ? { myChallenge: { ...known.myChallenge, attempt } } : known,
      );
    },
    [client],
  );

  const takeRefusal = useCallback(
    ({ reason, attempt }: { reason: string; attempt: ChallengeGamesFragment }) => {
      take(attempt);
      setTrouble(reason === 'not_today' ? 'dayOver' : 'elsewhere');
      void reload();
    },
    [take, reload],
  );

  const send = useCallback(
    async (move: PendingMove) => {
      if (sending.current) return;
      sending.current = true;
      setTrouble(null);
      try {
        const answered = client.mutate({
          mutation: PlayChallengeMoveDocument,
          variables: move,
          fetchPolicy: 'no-cache',
        });
        const [{ data }] = await Promise.all([answered, wait(BOT_MOVE_DELAY)]);
        const answer = data!.playChallengeMove;
        if (answer.__typename === 'ChallengeRefused') {
          takeRefusal(answer);
        } else {
          take(answer.attempt);
          if (answer.stats) {
            setFinished(move.game);
            onCounted(answer.stats);
            void reload();
          }
        }
        setPending(null);
      } catch (problem) {
        console.warn(problem instanceof Error ? problem.message : problem);
        setTrouble('offline');
      } finally {
        sending.current = false;
      }
    },
    [client, onCounted, reload, take, takeRefusal],
  );

  const retry = useCallback(() => {
    if (pending) void send(pending);
  }, [pending, send]);
  useEffect(() => {
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [retry]);

  const start = async () => {
    const next = gameToStart(games);
    if (!next || !day || starting) return;
    setStarting(true);
    setTrouble(null);
    try {
      const variables = { day, game: next.number };
      const { data } = await client.mutate({
        mutation: StartChallengeGameDocument,
        variables,
        fetchPolicy: 'no-cache',
      });
      const answer = data!.startChallengeGame;
      if (answer.__typename === 'ChallengeRefused') {
        takeRefusal(answer);
      } else {
        take(answer.attempt);
        // A game of an earlier day may have been lost.
        if (answer.stats) onCounted(answer.stats);
      }
      setFinished(null);
    } catch (problem) {
      console.warn(problem instanceof Error ? problem.message : problem);
      setTrouble('offlineStart');
    } finally {
      setStarting(false);
    }
  };

  return {
    mine,
    failed,
    reload: () => void reload(),
    /** The game on the board: under way, or finished a moment ago. */
    shown,
    board: shown && gameOnBoard(shown, waiting),
    lastSquare: (waiting?.square ?? shown?.squares.at(-1) ?? null) as Square | null,
    trouble,
    starting,
    start: () => void start(),
    retry,
    leaveBoard: () => setFinished(null),
    mark: (square: Square) => {
      const move = day && shown && !pending ? nextMove(day, shown, square) : null;
      if (!move) return;
      setPending(move);
      void send(move);
    },
  };
}
