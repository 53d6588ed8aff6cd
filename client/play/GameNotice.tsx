import { useQuery } from '@apollo/client/react';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, selectOrdinal, t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { type CSSProperties, memo, useCallback, useEffect, useRef, useState } from 'react';
import type { Difficulty } from '../../game/bot.js';
import { MyProgressDocument, type MyProgressQuery, type RefusalReason } from '../graphql/generated.js';
import { BADGES } from '../messages/words.js';
import { formatTime } from '../ui/time/formatTime.js';
import { passFocusOn } from '../ui/Button.js';
import type { Deliveries } from './delivery.js';
import type { PlayedGame, GameProps } from './useGame.js';
import './GameNotice.css';

/** The server's own sentences speak to programs. A later try overcomes the reasons that are left out. */
const REFUSALS: Readonly<Partial<Record<RefusalReason, MessageDescriptor>>> = {
  ticket_invalid: msg`A finished game didn't count: this server doesn't know it.`,
  ticket_expired: msg`A finished game didn't count: it arrived more than seven days after it began.`,
  ticket_of_another_player: msg`A finished game didn't count: it belongs to another player.`,
  already_counted: msg`A finished game didn't count: it was counted before, with other moves.`,
  voided: msg`A finished game didn't count: a moderator took it out of your score.`,
  illegal_move: msg`A finished game didn't count: its moves break the rules.`,
  game_unfinished: msg`A finished game didn't count: it was not played to the end.`,
};

type Props = Pick<PlayedGame, 'round' | 'difficulty' | 'gamesPerDay' | 'counts' | 'unsaved'> &
  Pick<GameProps, 'deliveries' | 'ended' | 'onSignInAgain'>;

/** The line under the board about saving, and otherwise about what the player has reached. */
export const GameNotice = memo(function GameNotice(props: Props) {
  const { t } = useLingui();
  const { round, difficulty, gamesPerDay, counts, deliveries, ended } = props;
  const { late, needsTab, countsFrom, dropped, dismissDropped } = deliveries;
  const text =
    (round.countsFrom !== null && practiceToday(gamesPerDay, formatTime(round.countsFrom))) ||
    (counts === 'no' && t`You're offline. This game won't count.`) ||
    (late && countsFrom && countsLater(deliveries.gamesPerDay, formatTime(countsFrom), needsTab)) ||
    (late &&
      (needsTab
        ? t`Not saved yet. Keep this tab open until you are online.`
        : t`Saved on this device. It counts once you're online.`)) ||
    (counts === 'soon' && t`Connecting… This game won't count yet.`) ||
    null;
  return (
    <div className="game-notice faint balanced" role="status">
      {dropped && (
        <p>
          <span>{t(REFUSALS[dropped] ?? REFUSALS.ticket_invalid!)}</span>
          <button
            type="button"
            className="game-notice-dismiss"
            ref={passFocusOn}
            aria-label={t`Dismiss`}
            onClick={dismissDropped}
          >
            <X aria-hidden />
          </button>
        </p>
      )}
      {/* Hidden by what there is to say about saving, and still listening. */}
      <p hidden={ended || Boolean(text)}>
        <ProgressNote difficulty={difficulty} isOver={round.game.outcome !== null} onCounted={deliveries.onCounted} />
      </p>
      {ended ? (
        <SessionEnded {...props} />
      ) : (
        text && (
          <p key={text} data-later={counts === 'soon' && !late}>
            {text}
          </p>
        )
      )}
    </div>
  );
});

const practiceToday = (games: number, time: string): string =>
  t`That's ${plural(games, { one: '# game', other: '# games' })} today. Points are back at ${time}.`;

const countsLater = (games: number, time: string, needsTab: boolean): string =>
  needsTab
    ? t`That's ${plural(games, { one: '# game', other: '# games' })} today. Keep this tab open until this one counts, at ${time}.`
    : t`That's ${plural(games, { one: '# game', other: '# games' })} today. This one counts from ${time}.`;

function SessionEnded({ round, unsaved, onSignInAgain }: Props) {
  const isOver = round.game.outcome !== null;
  const willSave = isOver ? unsaved : round.ticket !== null;
  const again = { onClick: onSignInAgain };
  return (
    <p>
      {!willSave ? (
        <Trans>
          You've been signed out. Games don't count until you <Again {...again}>sign in again</Again>.
        </Trans>
      ) : isOver ? (
        <Trans>
          You've been signed out: <Again {...again}>sign in again</Again> to save it.
        </Trans>
      ) : (
        <Trans>
          You've been signed out. Finish this game, then <Again {...again}>sign in again</Again> to save it.
        </Trans>
      )}
    </p>
  );
}

function Again(props: { onClick: () => void; children: string }) {
  return <button type="button" className="game-notice-action" {...props} />;
}

interface ProgressNoteProps {
  difficulty: Difficulty;
  isOver: boolean;
  onCounted: Deliveries['onCounted'];
}

/** What the last game has added, and the draws in a row while hard is selected. A move renders none of it. */
const ProgressNote = memo(function ProgressNote({ difficulty, isOver, onCounted }: ProgressNoteProps) {
  const { t } = useLingui();
  const { achievements, news, clearNews } = useProgress(onCounted);
  // News are about the game before the next one.
  useEffect(() => {
    if (!isOver) clearNews();
  }, [isOver, clearNews]);
  if (isOver && news) return <span>{news}</span>;
  if (difficulty !== 'hard' || !achievements) return null;
  const { hardDrawsInARow: run, bestHardDrawsInARow: best } = achievements;
  if (best === 0) return null;
  return (
    <span className="draw-run" data-best={run > 0 && run === best} style={{ '--share': run / best } as CSSProperties}>
      <i aria-hidden="true" />
      <span>{t`Draw run ${run} · best ${best}`}</span>
    </span>
  );
});

/** What the player has reached, and what the last counted game added to it. */
function useProgress(onCounted: Deliveries['onCounted']) {
  const { data, refetch } = useQuery(MyProgressDocument);
  /** Before and after the last counted game. */
  const [change, setChange] = useState<readonly [MyProgressQuery, MyProgressQuery] | null>(null);
  const known = useRef(data);
  useEffect(() => {
    known.current ??= data;
  }, [data]);

  useEffect(() => {
    return onCounted(() => {
      refetch().then(
        ({ data: now }) => {
          if (!now) return;
          if (known.current) setChange([known.current, now]);
          known.current = now;
        },
        // The next counted game tries again.
        () => undefined,
      );
    });
  }, [onCounted, refetch]);

  const clearNews = useCallback(() => setChange(null), []);
  return { achievements: data?.me.achievements, news: change && newsOf(...change), clearNews };
}

function newsOf({ me: before }: MyProgressQuery, { me: now }: MyProgressQuery): string | null {
  const added = now.achievements.badges.filter((name) => !before.achievements.badges.includes(name));
  if (added.length > 0) {
    const list = new Intl.ListFormat(i18n.locales, { type: 'unit', style: 'short' });
    const names = list.format(added.map((name) => i18n._(BADGES[name])));
    return plural(added.length, { one: `🏅 New badge: ${names}`, other: `🏅 New badges: ${names}` });
  }
  const [from, to] = [before.standing, now.standing];
  const hasClimbed = from && to?.exact && to.rank < from.rank;
  if (!hasClimbed) return null;
  const place = to.rank;
  return t`📈 Up to ${selectOrdinal(place, { one: '#st', two: '#nd', few: '#rd', other: '#th' })} on the leaderboard`;
}
