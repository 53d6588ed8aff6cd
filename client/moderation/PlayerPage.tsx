import { useQuery } from '@apollo/client/react';
import { i18n } from '@lingui/core';
import { useEffect, useRef, useState } from 'react';
import {
  PlayerReportDocument,
  type ModeratedGameFragment,
  type ModeratedRowFragment,
  type PlayerReportQuery,
} from '../graphql/generated.js';
import { counted } from '../ui/counted.js';
import { DIFFICULTY_NAMES, RESULT_NAMES } from '../messages/words.js';
import { draftKey } from '../data/playerStorage.js';
import { Avatar } from '../ui/Avatar.js';
import { Button } from '../ui/Button.js';
import { Card } from '../ui/Card.js';
import { formatGain } from '../ui/formatNumber.js';
import { fromJson, storedInTab } from '../ui/stored.js';
import { formatDate, formatDateTime } from '../ui/time/formatTime.js';
import { DecisionDialog } from './DecisionDialog.js';
import { draftOf, titleOf, undoOf, type Action, type Draft } from './decisions.js';
import { Audit, Facts, factsOf, States } from './lists.js';
import { Loaded } from './Loaded.js';
import { inWords, withLocalEnd } from './words.js';

type Report = NonNullable<PlayerReportQuery['playerReport']>;

interface Props {
  id: string;
  moderatorId: string;
  signInAgain: () => Promise<void>;
}

/** All about a player, and the decisions about the player. */
export function PlayerPage({ id, moderatorId, signInAgain }: Props) {
  const query = useQuery(PlayerReportDocument, { variables: { id }, fetchPolicy: 'cache-and-network' });
  const key = draftKey(moderatorId, id);
  const [draft, setDraft] = useState(() => fromJson<Draft>(storedInTab.get(key), { action: 'ban', id }));
  const [decided, setDecided] = useState<{ said: string; undo?: Draft }>({ said: '' });
  const outcome = useRef<HTMLDivElement>(null);
  const report = query.data?.playerReport;
  // The button that had the focus may be gone, and the sentence may be out of view.
  useEffect(() => outcome.current?.focus(), [decided]);

  const close = () => {
    storedInTab.set(key, null);
    setDraft(null);
  };
  const onDecided = (typed: Draft, { said, changed }: { said: string; changed: boolean }) => {
    setDecided({ said: withLocalEnd(said), undo: changed ? undoOf(typed, report!.player) : undefined });
    close();
  };
  const onSignInAgain = (typed: Draft) => {
    storedInTab.set(key, JSON.stringify(typed));
    return signInAgain();
  };
  if (!report) return <Loaded query={query}>{() => <p>No such player.</p>}</Loaded>;
  const { player, voidedGames } = report;
  const games = report.games.edges.map(({ node }) => node);
  const game = [...games, ...voidedGames].find(({ id }) => id === draft?.gameId);
  return (
    <div className="moderation-columns">
      <Card title={player.name} note={<States {...player} />}>
        <div className="moderation-player">
          <Avatar {...player} />
          <code className="moderation-id faint">{player.id}</code>
        </div>
        <div ref={outcome} className={decided.said && 'moderation-said actions tile'} tabIndex={-1}>
          <p role="status">{decided.said}</p>
          {decided.undo && <Button onClick={() => setDraft(decided.undo!)}>Undo</Button>}
        </div>
        <div className="actions">
          {actionsFor(player).map((action) => (
            <Button key={action} onClick={() => setDraft(draftOf(action, player))}>
              {titleOf(action, player)}
            </Button>
          ))}
        </div>
        <Facts facts={factsOfReport(report)} />
      </Card>
      <Card title="Last games">
        <Games games={games} player={player} action="void" onDecide={setDraft} />
        {voidedGames.length > 0 && <h3>Voided games</h3>}
        <Games games={voidedGames} player={player} action="unvoid" onDecide={setDraft} />
      </Card>
      <Audit playerId={id} />
      {draft && (
        <DecisionDialog {...{ draft, player, onDecided, onSignInAgain }} game={game && wordsOf(game)} onClose={close} />
      )}
    </div>
  );
}

interface GamesProps {
  games: readonly ModeratedGameFragment[];
  player: ModeratedRowFragment;
  action: Action;
  onDecide: (draft: Draft) => void;
}

function Games({ games, player, action, onDecide }: GamesProps) {
  return (
    <ol className="moderation-games">
      {games.map((game) => (
        <li key={game.id}>
          {wordsOf(game)}
          <Button
            aria-label={`${inWords(action)}: ${wordsOf(game)}`}
            onClick={() => onDecide({ ...draftOf(action, player), gameId: game.id })}
          >
            {inWords(action)}
          </Button>
        </li>
      ))}
    </ol>
  );
}

/** Moderators decide about no moderator. */
function actionsFor({ isModerator, hiddenAt, bannedAt, renamedAt }: ModeratedRowFragment): Action[] {
  if (isModerator) return [];
  const decisions: Action[] = [hiddenAt ? 'unhide' : 'hide', 'ban', 'rename', 'signOutEverywhere'];
  return [...decisions, ...(bannedAt ? ['unban' as const] : []), ...(renamedAt ? ['restoreName' as const] : [])];
}

/** The pauses between games tell a program, so the time has seconds. */
function wordsOf({ result, difficulty, points, finishedAt, byProgram, source }: ModeratedGameFragment): string {
  const facts = [i18n._(RESULT_NAMES[result]), i18n._(DIFFICULTY_NAMES[difficulty]), formatGain(points)];
  const marks = [byProgram && 'by a program', source === 'reported' && source];
  return [...facts, formatDateTime(finishedAt, true), ...marks].filter(Boolean).join(' · ');
}

function factsOfReport({ player, identities, liveSessions, liveTokens }: Report) {
  return {
    ...factsOf(player),
    "Provider's name": player.providerName,
    'Last game': player.lastGameAt && formatDateTime(player.lastGameAt, true),
    'Signed in with': `${counted(liveSessions, 'browser')}, ${counted(liveTokens, 'personal token')}`,
    ...Object.fromEntries(identities.map((one) => [one.providerName, `since ${formatDate(one.linkedAt)}`])),
  };
}
