import { ApolloProvider } from '@apollo/client/react';
import { Keyboard } from 'lucide-react';
import { Suspense, lazy, startTransition, useCallback, useDeferredValue, useEffect, useState } from 'react';
import { gamesIn } from '../game/scoring.js';
import type { Stats } from '../game/scoring.js';
import { isAccountAsked } from './account/accountAddress.js';
import { LinkHint } from './account/links/LinkHint.js';
import { useLinkHint } from './account/links/useLinkHint.js';
import { createApolloClient } from './apollo.js';
import { LoadingScreen } from './auth/screens/LoadingScreen.js';
import { LogoutButton } from './auth/LogoutButton.js';
import { PlayerBadge } from './auth/PlayerBadge.js';
import { useSession, useSessionState } from './auth/SessionContext.js';
import type { Player } from './auth/player.js';
import type * as Dialogs from './dialogs.js';
import { LastGames } from './history/LastGames.js';
import { useLastGames } from './history/useLastGames.js';
import { LeaderboardButton } from './leaderboard/LeaderboardButton.js';
import { registerServiceWorker } from './offline/registerServiceWorker.js';
import { useInstall } from './offline/useInstall.js';
import { GameCard } from './play/card/GameCard.js';
import { HowToPlay } from './play/HowToPlay.js';
import { useDelivery } from './play/delivery/useDelivery.js';
import { StatsPanel } from './stats/StatsPanel.js';
import { useStats } from './stats/useStats.js';
import { messages } from './messages/game.js';
import { Button } from './ui/Button.js';
import { NotLoaded } from './ui/failure/NotLoaded.js';
import { ThemeToggle } from './ui/theme/ThemeToggle.js';
import { useShortcuts } from './ui/shortcuts/useShortcuts.js';
import './App.css';

export { TrialGame } from './play/TrialGame.js';

let dialogs: Promise<typeof Dialogs> | undefined;

/** Keeps the promise: while a new one resolves, React shows a fallback, and that for at least 300 ms. */
function loadDialogs() {
  dialogs ??= import('./dialogs.js');
  dialogs.catch(() => {
    // The next dialog tries again: React keeps a failure for good.
    dialogs = undefined;
    OpenDialog = lazy(loadDialogs);
  });
  return dialogs;
}

let OpenDialog = lazy(loadDialogs);

/** The page of a signed-in player. Only this file and the dialogs combine the features. */
export default function App() {
  const session = useSession();
  const { player } = useSessionState();
  const [client] = useState(() => player && createApolloClient(session, player.id));
  if (!client || !player) return null;
  return (
    <ApolloProvider client={client}>
      <GameScreen player={player} />
    </ApolloProvider>
  );
}

function GameScreen({ player }: { player: Player }) {
  const stats = useStats(player.id);
  const games = useLastGames();
  // Deferred, so that React draws the game in short tasks.
  const loading = useDeferredValue(stats.loading);

  useEffect(() => {
    if (loading) return;
    // A failure becomes visible when a dialog opens.
    void loadDialogs();
    registerServiceWorker();
  }, [loading]);

  if (loading) return <LoadingScreen note={messages.auth.loadingStats} />;
  return <Table player={player} playerStats={stats} games={games} />;
}

interface TableProps {
  player: Player;
  playerStats: ReturnType<typeof useStats>;
  games: ReturnType<typeof useLastGames>;
}

function Table({ player, playerStats, games }: TableProps) {
  const session = useSession();
  const ended = useSessionState().phase === 'ended';
  useEffect(() => () => session.setGameOnBoard(false), [session]);
  const { stats: serverStats, asOf, update, refetchSoon, retryIfFailed } = playerStats;
  const { add, ...lastGames } = games;
  const { retry: refetchGames } = lastGames;
  const deliveries = useDelivery(player.id, serverStats);
  const { onCounted, stats } = deliveries;
  const [otherProvider, dismissHint] = useLinkHint(player, Boolean(serverStats) && !gamesIn(stats));
  const isNewcomer = !gamesIn(stats) && !lastGames.failed && !lastGames.games?.length;
  useEffect(
    () =>
      onCounted((answer) => {
        if (answer) update(answer.stats);
        if (answer) add(answer.game);
        else refetchGames();
        refetchSoon();
      }),
    [onCounted, update, add, refetchGames, refetchSoon],
  );
  const onChallengeCounted = useCallback(
    (counted: Stats) => {
      update(counted);
      refetchGames();
      refetchSoon();
    },
    [update, refetchGames, refetchSoon],
  );
  const [dialog, setDialog] = useState<Dialogs.DialogName | null>(() => (isAccountAsked() ? 'account' : null));
  const [returned, setReturned] = useState(() => (isAccountAsked() ? location.search : ''));
  // The page answers the press first, and then draws or removes the dialog in short tasks.
  const open = (next: Dialogs.DialogName) => startTransition(() => setDialog(next));
  const close = () =>
    startTransition(() => {
      setDialog(null);
      setReturned('');
    });
  const openAccount = () => {
    dismissHint();
    open('account');
  };
  const install = useInstall();

  useShortcuts({
    l: () => open('leaderboard'),
    '?': () => open('shortcuts'),
  });

  // On a slow network, the game can appear before the sign-in ends.
  useEffect(
    () =>
      session.on(() => {
        if (!isAccountAsked()) return;
        setReturned(location.search);
        setDialog('account');
      }),
    [session],
  );
  useEffect(() => {
    // Remove the address, so that a reload opens the game.
    if (dialog === 'account' && isAccountAsked()) history.replaceState(null, '', '/');
  }, [dialog]);

  return (
    <div className="app">
      <header className="header">
        <PlayerBadge player={player} onOpen={openAccount} />
        <LeaderboardButton onOpen={() => open('leaderboard')} />
        <Button
          look="quiet"
          className="header-shortcuts"
          aria-label={messages.shortcuts.open}
          title={messages.shortcuts.open}
          onClick={() => open('shortcuts')}
        >
          <Keyboard aria-hidden />
        </Button>
        <ThemeToggle />
        <LogoutButton />
      </header>
      {otherProvider && <LinkHint provider={otherProvider} onOpenAccount={openAccount} onDismiss={dismissHint} />}
      <main className="table">
        <h1 className="visually-hidden">{messages.title}</h1>
        <GameCard
          playerId={player.id}
          deliveries={deliveries}
          ended={ended}
          onGameOnBoard={session.setGameOnBoard}
          onNewGame={retryIfFailed}
          onSignInAgain={session.toLoginScreen}
        />
        <div className="side">
          <StatsPanel stats={stats} asOf={asOf} />
          <Button className="challenge-entry" onClick={() => open('challenge')}>
            {messages.challenge}
          </Button>
          {/* The first game creates the rules anew: an element that moves down would count as a layout shift. */}
          {isNewcomer ? (
            <HowToPlay />
          ) : (
            <>
              <LastGames {...lastGames} onOpen={open} />
              <HowToPlay />
            </>
          )}
        </div>
      </main>
      <NotLoaded key={typeof dialog === 'string' ? dialog : dialog?.id} onClose={close}>
        <Suspense>
          {dialog && (
            <OpenDialog
              dialog={dialog}
              player={player}
              stats={stats}
              returned={returned}
              install={install}
              onOpen={open}
              onChallengeCounted={onChallengeCounted}
              onClose={close}
            />
          )}
        </Suspense>
      </NotLoaded>
    </div>
  );
}
