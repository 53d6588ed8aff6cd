import { useQuery } from '@apollo/client/react';
import { X } from 'lucide-react';
import { type CSSProperties, memo, useCallback, useEffect, useRef, useState } from 'react';
import type { Difficulty } from '../../game/bot.js';
import { MyProgressDocument, type MyProgressQuery, type RefusalReason } from '../graphql/generated.js';
import { messages } from '../messages/game.js';
import { filled } from '../ui/filled.js';
import { formatTime } from '../ui/time/formatTime.js';
import { passFocusOn } from '../ui/Button.js';
import type { Deliveries } from './delivery.js';
import type { PlayedGame, GameProps } from './useGame.js';
import './GameNotice.css';

/** The server's own sentences speak to programs. A later try overcomes the reasons that are left out. */
const REFUSALS: Readonly<Partial<Record<RefusalReason, string>>> = messages.play.refusals;

type Props = Pick<PlayedGame, 'round' | 'difficulty' | 'gamesPerDay' | 'counts' | 'unsaved'> &
  Pick<GameProps, 'deliveries' | 'ended' | 'onSignInAgain'>;

/** The line under the board about saving, and otherwise about what the player has reached. */
export const GameNotice = memo(function GameNotice(props: Props) {
  const { round, difficulty, gamesPerDay, counts, deliveries, ended } = props;
  const { late, needsTab, countsFrom, dropped, dismissDropped } = deliveries;
  const text =
    (round.countsFrom !== null && messages.play.practiceToday(gamesPerDay, formatTime(round.countsFrom))) ||
    (counts === 'no' && messages.play.practice) ||
    (late && countsFrom && messages.play.savedTomorrow(deliveries.gamesPerDay, formatTime(countsFrom), needsTab)) ||
    (late && (needsTab ? messages.play.keepTab : messages.play.savedLater)) ||
    (counts === 'soon' && messages.play.practiceSoon) ||
    null;
  return (
    <div className="game-notice faint balanced" role="status">
      {dropped && (
        <p>
          <span>{REFUSALS[dropped] ?? messages.play.refusals.ticket_invalid}</span>
          <button
            type="button"
            className="game-notice-dismiss"
            ref={passFocusOn}
            aria-label={messages.play.dismiss}
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

function SessionEnded({ round, unsaved, onSignInAgain }: Props) {
  const isOver = round.game.outcome !== null;
  const willSave = isOver ? unsaved : round.ticket !== null;
  return (
    <p>
      {filled(messages.play.sessionEnded[isOver ? 'over' : 'first'][willSave ? 'save' : 'goOn'], (signIn) => (
        <button type="button" className="game-notice-action" onClick={onSignInAgain}>
          {signIn}
        </button>
      ))}
    </p>
  );
}

interface ProgressNoteProps {
  difficulty: Difficulty;
  isOver: boolean;
  onCounted: Deliveries['onCounted'];
}

/** What the last game has added, and the draws in a row while hard is selected. A move renders none of it. */
const ProgressNote = memo(function ProgressNote({ difficulty, isOver, onCounted }: ProgressNoteProps) {
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
      <span>{messages.play.drawRun(run, best)}</span>
    </span>
  );
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
  const { badges, climbed } = messages.play.news;
  const added = now.achievements.badges.filter((name) => !before.achievements.badges.includes(name));
  if (added.length > 0) return badges(added.map((name) => messages.badges[name]));
  const [from, to] = [before.standing, now.standing];
  const hasClimbed = from && to?.exact && to.rank < from.rank;
  return hasClimbed ? climbed(to.rank) : null;
}
