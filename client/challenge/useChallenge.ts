import { useApolloClient } from '@apollo/client/react';
import { msg } from '@lingui/core/macro';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Square } from '../../game/board.js';
import { BOT_MOVE_DELAY } from '../../game/bot.js';
import { gamesIn, noStats, type Stats } from '../../game/scoring.js';
import {
  MyChallengeDocument,
  PlayChallengeMoveDocument,
  StartChallengeGameDocument,
  type ChallengeGamesFragment,
  type ChallengeRefusalReason,
  type MyChallengeQuery,
  type PlayChallengeMoveMutation,
} from '../graphql/generated.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import { usePlayerStats } from '../data/playerStats.js';
import { listen } from '../ui/listen.js';
import { serverNow } from '../ui/time/clock.js';
import { askedDuel } from './duel.js';
import { boardOf, gameToStart, isUnderWay, newest, nextMove, type PendingMove } from './attempt.js';

export type MyChallenge = MyChallengeQuery['myChallenge'] & Pick<MyChallengeQuery, 'me'>;
type Answer = PlayChallengeMoveMutation['playChallengeMove'];
export const TROUBLE = {
  offline: msg`The server did not answer. Your move is kept.`,
  offlineStart: msg`The server did not answer. Please try again.`,
  elsewhere: msg`You also played this game in another window. Here is where it stands.`,
  otherAccount: msg`You played today's challenge with another account. There is a new one tomorrow.`,
  dayOver: msg`The day is over, so an unfinished game is lost. There is a new challenge.`,
};
type Trouble = keyof typeof TROUBLE;

const TROUBLES: Partial<Record<ChallengeRefusalReason, Trouble>> = {
  not_today: 'dayOver',
  other_account_played: 'otherAccount',
};

/** The server's clock may be a moment behind. */
const AFTER_MIDNIGHT_MS = 1_000;
/** An answer that the server gave before midnight can arrive after it. */
const SAME_DAY_AGAIN_MS = 5_000;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Finished = Readonly<{ game: number; stats: Stats }>;

export type Challenge = ReturnType<typeof useChallenge>;

export function useChallenge(onCounted: (stats: Stats) => void) {
  const client = useApolloClient();
  const attempt = useAttempt(onCounted);
  const known = gamesIn(usePlayerStats() ?? noStats);
  /** The counted games before the player's last mark, which may be sent more than once. */
  const [before, setBefore] = useState(known);
  const { mine, send } = attempt;
  const [starting, setStarting] = useState(false);
  /** The finished game that is still on the board. */
  const [finished, setFinished] = useState<Finished | null>(null);
  const { pending, play, retry } = useMoves(attempt, setFinished);

  const games = mine?.attempt.games ?? [];
  const day = mine?.attempt.day;
  const shown = games.find(isUnderWay) ?? games.find(({ number }) => number === finished?.game) ?? null;
  const next = gameToStart(games);
  const waiting = pending?.day === day ? pending : null;
  const counted = finished !== null && gamesIn(finished.stats) > before;

  const start = async () => {
    if (!next || !day || starting) return;
    setStarting(true);
    const duel = askedDuel();
    const daredBy = duel?.day === day ? duel.playerId : null;
    const request = async () => {
      const { data } = await client.mutate({
        mutation: StartChallengeGameDocument,
        variables: { day, game: next.number, daredBy },
        fetchPolicy: 'no-cache',
      });
      return data!.startChallengeGame;
    };
    await send(request, () => setFinished(null), 'offlineStart');
    setStarting(false);
  };

  return {
    ...attempt,
    next,
    counted,
    /** The third win in a row starts the streak again. */
    bonus: counted && shown?.result === 'win' && finished.stats.winStreak === 0,
    /** The game on the board: under way, or finished a moment ago. */
    shown,
    board: shown && boardOf(shown, waiting),
    lastSquare: (waiting?.square ?? shown?.squares.at(-1) ?? null) as Square | null,
    starting,
    start: (): void => void start(),
    retry,
    leaveBoard: () => setFinished(null),
    mark: (square: Square) => {
      const move = day && shown && !pending ? nextMove(day, shown, square) : null;
      if (!pending) setBefore(known);
      if (move) void play(move);
    },
  };
}

/** The player's challenge with the attempt of the server's last answer, and a way to send a start or a move. */
function useAttempt(onCounted: (stats: Stats) => void) {
  const { cache } = useApolloClient();
  const { mine, failed, reload } = useMyChallenge();
  const [played, setPlayed] = useState<ChallengeGamesFragment | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);

  const take = useCallback(
    (answer: Answer) => {
      const { attempt } = answer;
      setPlayed(attempt);
      cache.updateQuery({ query: MyChallengeDocument }, (known) =>
        known?.myChallenge.attempt.day === attempt.day
          ? { ...known, myChallenge: { ...known.myChallenge, attempt } }
          : known,
      );
      if (answer.__typename === 'ChallengeRefused') {
        setTrouble(TROUBLES[answer.reason] ?? 'elsewhere');
        reload();
      } else if (answer.stats) {
        onCounted(answer.stats);
      }
    },
    [cache, reload, onCounted],
  );

  /**
   * Sends a request and takes its answer.
   * @param onAnswer called in the same task, so that the page draws all effects of the answer at once
   * @param unreachable the trouble where the server does not answer
   */
  const send = useCallback(
    async (request: () => Promise<Answer>, onAnswer: (answer: Answer) => void, unreachable: Trouble) => {
      setTrouble(null);
      try {
        const answer = await request();
        take(answer);
        onAnswer(answer);
      } catch (problem) {
        console.warn(problem instanceof Error ? problem.message : problem);
        setTrouble(unreachable);
      }
    },
    [take],
  );

  return { mine: mine && { ...mine, attempt: newest(mine.attempt, played) }, failed, reload, trouble, send };
}

/**
 * Sends the player's moves. The server answers each during the half second that the bot takes. Without an answer the move
 * stays pending, and is sent again when the network returns.
 */
function useMoves({ send }: ReturnType<typeof useAttempt>, onFinished: (finished: Finished) => void) {
  const client = useApolloClient();
  const [pending, setPending] = useState<PendingMove | null>(null);
  const sending = useRef(false);

  const play = useCallback(
    async (move: PendingMove) => {
      if (sending.current) return;
      sending.current = true;
      setPending(move);
      const request = async () => {
        const answered = client.mutate({
          mutation: PlayChallengeMoveDocument,
          variables: move,
          fetchPolicy: 'no-cache',
        });
        const [{ data }] = await Promise.all([answered, wait(BOT_MOVE_DELAY)]);
        return data!.playChallengeMove;
      };
      const onAnswer = (answer: Answer) => {
        setPending(null);
        if (answer.__typename === 'ChallengeRefused' || !answer.stats) return;
        onFinished({ game: move.game, stats: answer.stats });
      };
      await send(request, onAnswer, 'offline');
      sending.current = false;
    },
    [client, send, onFinished],
  );

  const retry = useCallback(() => {
    if (pending) void play(pending);
  }, [pending, play]);
  useEffect(() => listen(window, 'online', retry), [retry]);

  return { pending, play, retry };
}

/** Loads the player's challenge, and again when the day changes or the player comes back to the page. */
export function useMyChallenge() {
  const { data, failed, retry: reload } = useRetryingQuery(MyChallengeDocument);
  const mine = data ? { ...data.myChallenge, me: data.me } : null;
  const endsAt = mine?.endsAt;

  useEffect(() => {
    if (!endsAt) return;
    const left = Date.parse(endsAt) - serverNow();
    const reloadUntilNextDay = () => {
      reload();
      timer = setTimeout(reloadUntilNextDay, SAME_DAY_AGAIN_MS);
    };
    let timer = setTimeout(reloadUntilNextDay, left + AFTER_MIDNIGHT_MS);
    return () => clearTimeout(timer);
  }, [endsAt, reload]);

  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && reload();
    return listen(document, 'visibilitychange', look);
  }, [reload]);

  return { mine, failed, reload };
}
