import { useApolloClient } from '@apollo/client/react';
import { useCallback, useState } from 'react';
import type { Stats } from '../../game/scoring.js';
import { MyChallengeDocument } from '../graphql/generated.js';
import type {
  ChallengeGamesFragment,
  ChallengeRefusalReason,
  PlayChallengeMoveMutation,
} from '../graphql/generated.js';
import { newest } from './attempt.js';
import { useMyChallenge } from './useMyChallenge.js';

export type Answer = PlayChallengeMoveMutation['playChallengeMove'];
export type Trouble = 'offline' | 'offlineStart' | 'elsewhere' | 'otherAccount' | 'dayOver';

const TROUBLES: Partial<Record<ChallengeRefusalReason, Trouble>> = {
  not_today: 'dayOver',
  other_account_played: 'otherAccount',
};

export type Attempt = ReturnType<typeof useAttempt>;

/** The player's challenge with the attempt of the server's last answer, and a way to send a start or a move. */
export function useAttempt(onCounted: (stats: Stats) => void) {
  const { cache } = useApolloClient();
  const { mine, failed, reload } = useMyChallenge();
  const [played, setPlayed] = useState<ChallengeGamesFragment | null>(null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);

  const take = useCallback(
    (answer: Answer) => {
      const { attempt } = answer;
      setPlayed(attempt);
      cache.updateQuery({ query: MyChallengeDocument }, (known) =>
        known?.myChallenge.attempt.day === attempt.day ? { myChallenge: { ...known.myChallenge, attempt } } : known,
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
