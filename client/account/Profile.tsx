import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Castle, Shield, Sprout, Swords } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type Badge as Name, MyAchievementsDocument, type MyAchievementsQuery } from '../graphql/generated.js';
import { useRetryingQuery } from '../data/retryingQuery.js';
import type { Player } from '../data/player.js';
import { Avatar } from '../ui/Avatar.js';
import { formatDate } from '../ui/time/formatTime.js';
import { providerName } from '../data/settings.js';
import { BADGES } from '../messages/words.js';
import { Section } from './parts.js';

/** Whose account it is. It takes the focus, so that the dialog opens at its start. */
export function Who({ name, email, picture, provider }: Player) {
  const { t } = useLingui();
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => start.current?.focus(), []);
  return (
    <div className="account-who" ref={start} tabIndex={-1}>
      <Avatar name={name} picture={picture} />
      <p>
        <b dir="auto" translate="no">
          {name}
        </b>
        {email && (
          <span className="soft" dir="auto" translate="no">
            {email}
          </span>
        )}
        <span className="soft">{t`Signed in with ${{ provider: providerName(provider) }}`}</span>
      </p>
    </div>
  );
}

const PICTURES = {
  first_easy_win: Sprout,
  first_medium_win: Swords,
  first_hard_draw: Shield,
  ten_hard_draws: Castle,
} satisfies Record<Name, unknown>;

type Details = MyAchievementsQuery['me']['achievements']['badgeDetails'][number];

/** They keep the room of the badges while these load. */
const ALL = Object.keys(PICTURES) as Name[];

export function Badges() {
  const { t } = useLingui();
  const { data, failed } = useRetryingQuery(MyAchievementsDocument);
  const details = data?.me.achievements.badgeDetails;
  return (
    <Section title={t`Badges`}>
      {failed && <p role="alert">{t`Your badges could not be loaded.`}</p>}
      <ul className="badges">
        {details
          ? details.map((badge) => <Badge key={badge.badge} {...badge} />)
          : ALL.map((badge) => <Badge key={badge} badge={badge} />)}
      </ul>
    </Section>
  );
}

function Badge({ badge, ...details }: { badge: Name } & Partial<Details>) {
  const { t } = useLingui();
  const Picture = PICTURES[badge];
  const state = stateOf(details);
  return (
    <li data-reached={details.reached ?? false}>
      <Picture aria-hidden />
      <b>{t(BADGES[badge])}</b> {/* A new element, because one that moves would count as a layout shift. */}
      <span key={state} className="number">
        {state}
      </span>
    </li>
  );
}

function stateOf({ reached, reachedAt, progress, goal }: Partial<Details>): string {
  if (reached) return reachedAt ? formatDate(reachedAt) : t`Reached`;
  if (reached === undefined) return '–';
  return goal ? t`${{ progress: progress ?? 0 }} of ${goal}` : t`Not yet`;
}
