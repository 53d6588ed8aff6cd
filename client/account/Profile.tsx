import { useQuery } from '@apollo/client/react';
import { Castle, Crown, MonitorDown, Shield, Sprout, Swords } from 'lucide-react';
import { useId, useState } from 'react';
import type { Stats } from '../../game/scoring.js';
import { type Badge as Name, MyAchievementsDocument, type MyAchievementsQuery } from '../graphql/generated.js';
import { useInstall } from '../install.js';
import { achievements as words, messages } from '../messages/account.js';
import { Avatar } from '../ui/Avatar.js';
import { Button, passFocusOn } from '../ui/Button.js';
import { formatNumber } from '../ui/formatNumber.js';
import { formatDate } from '../ui/time/formatTime.js';
import { type FeedbackKind, feedbackSwitches } from '../ui/stored.js';

export interface ProfileProps {
  player: { id: string; name: string; email: string | null; picture: string; provider: string };
  stats: Stats;
  onFeedbackOn: (kind: FeedbackKind) => void;
}

export function Profile({ player, stats, onFeedbackOn }: ProfileProps) {
  return (
    <>
      <div className="account-who">
        <Avatar name={player.name} picture={player.picture} />
        <p>
          <b dir="auto">{player.name}</b>
          {player.email && <span dir="auto">{player.email}</span>}
          <span>{messages.signedInWith(player.provider)}</span>
        </p>
      </div>
      <Achievements stats={stats} />
      <FeedbackSwitches onSwitchedOn={onFeedbackOn} />
      <Install />
    </>
  );
}

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
function Achievements({ stats }: { stats: Stats }) {
  const id = useId();
  const { data, error } = useQuery(MyAchievementsDocument, { fetchPolicy: 'cache-and-network' });
  const achievements = data?.me.achievements;
  const count = (value: number | undefined) => (value === undefined ? words.unknown : formatNumber(value));
  return (
    <section aria-labelledby={id} className="achievements">
      <h3 id={id}>{words.title}</h3>
      <dl>
        <Fact name={words.drawsInARow} value={count(achievements?.hardDrawsInARow)} />
        <Fact name={words.longestStreak} value={count(achievements?.bestHardDrawsInARow)} />
        <Fact name={words.winsAt('easy')} value={formatNumber(stats.easyWins)} />
        <Fact name={words.winsAt('medium')} value={formatNumber(stats.mediumWins)} />
      </dl>
      {error && !achievements && <p role="alert">{words.failed}</p>}
      <ul aria-label={words.badges}>
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
      <b>{words.badge[badge]}</b> <p>{stateOf(details)}</p>
    </li>
  );
}

function stateOf({ reached, reachedAt, progress, goal }: Partial<Details>): string {
  if (reachedAt) return formatDate(reachedAt);
  if (reached === undefined) return words.unknown;
  return goal ? words.progress(progress ?? 0, goal) : words.notYet;
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** A computer has the function too, but nothing that vibrates. */
const canVibrate = () => 'vibrate' in navigator && window.matchMedia('(pointer: coarse)').matches;

/** Sound and vibration in this browser. */
function FeedbackSwitches({ onSwitchedOn }: { onSwitchedOn: (kind: FeedbackKind) => void }) {
  const id = useId();
  const [vibrates] = useState(canVibrate);
  return (
    <section aria-labelledby={id} className="feedback-switches">
      <h3 id={id}>{vibrates ? messages.feedback.both : messages.feedback.sound}</h3>
      <Switch kind="sound" onSwitchedOn={onSwitchedOn} />
      {vibrates && <Switch kind="vibration" onSwitchedOn={onSwitchedOn} />}
    </section>
  );
}

function Switch({ kind, onSwitchedOn }: { kind: FeedbackKind; onSwitchedOn: (kind: FeedbackKind) => void }) {
  const [on, setOn] = feedbackSwitches[kind].useSwitch();
  return (
    <label className="switch">
      <input
        type="checkbox"
        checked={on}
        onChange={({ target }) => {
          setOn(target.checked);
          if (target.checked) onSwitchedOn(kind);
        }}
      />
      {messages.switches[kind]}
    </label>
  );
}

/** Disappears after use, because a browser offers the installation once. */
function Install() {
  const install = useInstall();
  if (!install) return null;
  return (
    <div className="account-install">
      <p>{messages.installText}</p>
      <Button ref={passFocusOn} onClick={install}>
        <MonitorDown aria-hidden />
        {messages.install}
      </Button>
    </div>
  );
}
