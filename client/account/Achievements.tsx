import { useQuery } from '@apollo/client/react';
import { Award } from 'lucide-react';
import { useId } from 'react';
import { DIFFICULTIES } from '../../game/bot.js';
import type { Stats } from '../../game/scoring.js';
import { MyAchievementsDocument } from '../graphql/generated.js';
import type { Badge } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { formatNumber } from '../ui/formatNumber.js';
import './Achievements.css';

const WINS = { easy: 'easyWins', medium: 'mediumWins', hard: 'hardWins' } as const;

/** Nobody can win against the hard bot, so that badge appears only where somebody has it. */
const BADGES: readonly Badge[] = [
  'first_easy_win',
  'first_medium_win',
  'first_hard_draw',
  'ten_hard_draws',
  'seven_challenge_days',
];

/** What the player has reached: draws in a row at hard, wins at each difficulty, and badges. */
export function Achievements({ stats }: { stats: Stats }) {
  const id = useId();
  const { data, error } = useQuery(MyAchievementsDocument, { fetchPolicy: 'cache-and-network' });
  const achievements = data?.myAchievements;
  const reached: readonly Badge[] = achievements?.badges ?? [];
  const count = (value: number | undefined) => (value === undefined ? messages.account.unknown : formatNumber(value));
  return (
    <section aria-labelledby={id} className="achievements">
      <h3 id={id}>{messages.account.achievements}</h3>
      <dl>
        <Fact name={messages.account.drawsInARow} value={count(achievements?.hardDrawsInARow)} />
        <Fact name={messages.account.bestEver} value={count(achievements?.bestHardDrawsInARow)} />
        {DIFFICULTIES.map((difficulty) => (
          <Fact
            key={difficulty}
            name={messages.account.winsAt(difficulty)}
            value={formatNumber(stats[WINS[difficulty]])}
          />
        ))}
      </dl>
      {error && !achievements && <p role="alert">{messages.account.failed.achievements}</p>}
      <ul aria-label={messages.account.badges}>
        {[...new Set([...BADGES, ...reached])].map((badge) => (
          <li key={badge} data-reached={reached.includes(badge)}>
            <Award aria-hidden />
            {messages.account.badge[badge]}
            {!reached.includes(badge) && <span className="visually-hidden">{messages.account.notYet}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
