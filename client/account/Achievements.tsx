import { useQuery } from '@apollo/client/react';
import { Castle, Crown, Shield, Sprout, Swords } from 'lucide-react';
import { useId } from 'react';
import type { Stats } from '../../game/scoring.js';
import { MyAchievementsDocument, type Badge as Name, type MyAchievementsQuery } from '../graphql/generated.js';
import { messages } from '../messages/achievements.js';
import { formatNumber } from '../ui/formatNumber.js';
import './Achievements.css';

const PICTURES = {
  first_easy_win: Sprout,
  first_medium_win: Swords,
  first_hard_draw: Shield,
  ten_hard_draws: Castle,
  first_hard_win: Crown,
} satisfies Record<Name, unknown>;

type Details = MyAchievementsQuery['me']['achievements']['badgeDetails'][number];

/** They keep the room of the badges while these load. The server lists a win at hard only for its owner. */
const EVERYBODYS = (Object.keys(PICTURES) as Name[]).filter((badge) => badge !== 'first_hard_win');

/** What the player has reached: draws in a row at hard, wins, and badges. */
export function Achievements({ stats }: { stats: Stats }) {
  const id = useId();
  const { data, error } = useQuery(MyAchievementsDocument, { fetchPolicy: 'cache-and-network' });
  const achievements = data?.me.achievements;
  const count = (value: number | undefined) => (value === undefined ? messages.unknown : formatNumber(value));
  return (
    <section aria-labelledby={id} className="achievements">
      <h3 id={id}>{messages.title}</h3>
      <dl>
        <Fact name={messages.drawsInARow} value={count(achievements?.hardDrawsInARow)} />
        <Fact name={messages.longestStreak} value={count(achievements?.bestHardDrawsInARow)} />
        <Fact name={messages.winsAt('easy')} value={formatNumber(stats.easyWins)} />
        <Fact name={messages.winsAt('medium')} value={formatNumber(stats.mediumWins)} />
      </dl>
      {error && !achievements && <p role="alert">{messages.failed}</p>}
      <ul aria-label={messages.badges}>
        {achievements
          ? achievements.badgeDetails.map((details) => <Badge key={details.badge} {...details} />)
          : EVERYBODYS.map((badge) => <Badge key={badge} badge={badge} />)}
      </ul>
    </section>
  );
}

function Badge({ badge, ...details }: { badge: Name } & Partial<Details>) {
  const Picture = PICTURES[badge];
  return (
    <li data-reached={details.reached ?? false}>
      <Picture aria-hidden />
      <b>{messages.badge[badge]}</b> <p>{stateOf(details)}</p>
    </li>
  );
}

function stateOf({ reached, reachedAt, progress, goal }: Partial<Details>): string {
  if (reachedAt) return messages.date(new Date(reachedAt));
  if (reached === undefined) return messages.unknown;
  return goal ? messages.progress(progress ?? 0, goal) : messages.notYet;
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
