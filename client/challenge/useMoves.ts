import { useApolloClient } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { BOT_MOVE_DELAY } from '../../game/bot.js';
import { PlayChallengeMoveDocument } from '../graphql/generated.js';
import { listen } from '../ui/listen.js';
import type { PendingMove } from './attempt.js';
import type { Answer, Attempt } from './useAttempt.js';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Sends the player's moves. The server answers each during the half second that the bot takes. Without an answer the move
 * stays pending, and is sent again when the network returns.
 * @param onFinished called with the number of a game that a move has finished
 */
export function useMoves({ send, reload }: Attempt, onFinished: (game: number) => void) {
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
        onFinished(move.game);
        reload();
      };
      await send(request, onAnswer, 'offline');
      sending.current = false;
    },
    [client, send, reload, onFinished],
  );

  const retry = useCallback(() => {
    if (pending) void play(pending);
  }, [pending, play]);
  useEffect(() => listen(window, 'online', retry), [retry]);

  return { pending, play, retry };
}
