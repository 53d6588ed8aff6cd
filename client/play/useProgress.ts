import { useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { MyProgressDocument } from '../graphql/generated.js';
import type { MyProgressQuery } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { formatOrdinal } from '../ui/formatNumber.js';
import type { Deliveries } from './delivery/useDelivery.js';

/** What the player has reached, and what the last counted game added to it. */
export function useProgress(onCounted: Deliveries['onCounted']) {
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
