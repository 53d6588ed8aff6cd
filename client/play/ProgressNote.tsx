import { useQuery } from '@apollo/client/react';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import type { Difficulty } from '../../game/bot.js';
import { MyProgressDocument, type MyProgressQuery } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { formatOrdinal } from '../ui/formatNumber.js';
import type { Deliveries } from './delivery/useDelivery.js';

interface Props {
  difficulty: Difficulty;
  isOver: boolean;
  onCounted: Deliveries['onCounted'];
}

/** What the last game has added, and the draws in a row while hard is selected. A move renders none of it. */
export const ProgressNote = memo(function ProgressNote({ difficulty, isOver, onCounted }: Props) {
  const { achievements, news, clearNews } = useProgress(onCounted);
  // News are about the game before the next one.
  useEffect(() => {
    if (!isOver) clearNews();
  }, [isOver, clearNews]);
  if (isOver && news) return news;
  if (difficulty !== 'hard' || !achievements) return null;
  return messages.play.hardDraws(achievements.hardDrawsInARow, achievements.bestHardDrawsInARow);
});

/** What the player has reached, and what the last counted game added to it. */
function useProgress(onCounted: Deliveries['onCounted']) {
  const { data, refetch } = useQuery(MyProgressDocument);
  const [news, setNews] = useState<string | null>(null);
  const known = useRef(data);
  useEffect(() => {
    known.current ??= data;
  }, [data]);

  useEffect(
    () =>
      onCounted(() => {
        refetch().then(
          ({ data: now }) => {
            if (!now) return;
            if (known.current) setNews(newsOf(known.current, now));
            known.current = now;
          },
          // The next counted game tries again.
          () => undefined,
        );
      }),
    [onCounted, refetch],
  );

  const clearNews = useCallback(() => setNews(null), []);
  return { achievements: data?.me.achievements, news, clearNews };
}

function newsOf({ me: before }: MyProgressQuery, { me: now }: MyProgressQuery): string | null {
  const { badge, hardDraws, climbed } = messages.play.news;
  const added = now.achievements.badges.find((name) => !before.achievements.badges.includes(name));
  if (added) return badge(messages.badges[added]);
  const best = now.achievements.bestHardDrawsInARow;
  // The first draw is a badge.
  if (best > before.achievements.bestHardDrawsInARow && best > 1) return hardDraws(best);
  const [from, to] = [before.standing, now.standing];
  const hasClimbed = from && to?.exact && to.rank < from.rank;
  return hasClimbed ? climbed(formatOrdinal(to.rank, messages.ordinals)) : null;
}
