import { Castle, Crown, MonitorDown, Shield, Sprout, Swords } from 'lucide-react';
import { useState } from 'react';
import type { Stats } from '../../game/scoring.js';
import { type Badge as Name, MyAchievementsDocument, type MyAchievementsQuery } from '../graphql/generated.js';
import { useAsked } from '../apollo.js';
import { useInstall } from '../install.js';
import { achievements as words, messages } from '../messages/account.js';
import { Avatar } from '../ui/Avatar.js';
import { Button, passFocusOn } from '../ui/Button.js';
import { formatNumber } from '../ui/formatNumber.js';
import { formatDate } from '../ui/time/formatTime.js';
import { type FeedbackKind, feedbackSwitches } from '../ui/stored.js';
import { Section } from './parts.js';
import './Profile.css';

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
          <b dir="auto" translate="no">
            {player.name}
          </b>
          {player.email && (
            <span className="soft" dir="auto" translate="no">
              {player.email}
            </span>
          )}
          <span className="soft">{messages.signedInWith(player.provider)}</span>
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
  const { data, failed } = useAsked(MyAchievementsDocument);
  const achievements = data?.me.achievements;
  const count = (value: number | undefined) => (value === undefined ? words.unknown : formatNumber(value));
  return (
    <Section title={words.title} className="achievements">
      <dl>
        <Fact name={words.drawsInARow} value={count(achievements?.hardDrawsInARow)} />
        <Fact name={words.longestStreak} value={count(achievements?.bestHardDrawsInARow)} />
        <Fact name={words.winsAt('easy')} value={formatNumber(stats.easyWins)} />
        <Fact name={words.winsAt('medium')} value={formatNumber(stats.mediumWins)} />
      </dl>
      {failed && <p role="alert">{words.failed}</p>}
      <ul aria-label={words.badges}>
        {achievements
          ? achievements.badgeDetails.map((details) => <Badge key={details.badge} {...details} />)
          : EVERYBODYS.map((badge) => <Badge key={badge} badge={badge} />)}
      </ul>
    </Section>
  );
}

function Badge({ badge, ...details }: { badge: Name } & Partial<Details>) {
  const Picture = PICTURES[badge];
  return (
    <li data-reached={details.reached ?? false}>
      <Picture aria-hidden />
      <b>{words.badge[badge]}</b> <p className="number">{stateOf(details)}</p>
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
    <div className="tile">
      <dt>{name}</dt>
      <dd className="number">{value}</dd>
    </div>
  );
}

/** A computer has the function too, but nothing that vibrates. */
const canVibrate = () => 'vibrate' in navigator && window.matchMedia('(pointer: coarse)').matches;

/** Sound and vibration in this browser. */
function FeedbackSwitches({ onSwitchedOn }: { onSwitchedOn: (kind: FeedbackKind) => void }) {
  const [vibrates] = useState(canVibrate);
  return (
    <Section title={vibrates ? messages.feedback.both : messages.feedback.sound} className="feedback-switches">
      <Switch kind="sound" onSwitchedOn={onSwitchedOn} />
      {vibrates && <Switch kind="vibration" onSwitchedOn={onSwitchedOn} />}
    </Section>
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
      <p className="soft">{messages.installText}</p>
      <Button ref={passFocusOn} onClick={install}>
        <MonitorDown aria-hidden />
        {messages.install}
      </Button>
    </div>
  );
}
