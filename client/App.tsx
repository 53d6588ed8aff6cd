import { ApolloProvider, useApolloClient } from '@apollo/client/react';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { ChevronDown, Keyboard, Menu as MenuIcon } from 'lucide-react';
import { lazy, memo, Suspense, useCallback, useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { gamesIn, type Stats } from '../game/scoring.js';
import { LinkHint } from './account/LinkHint.js';
import { Dare as LinkedDare } from './challenge/Dare.js';
import { createApolloClient } from './data/apollo.js';
import { LoadingScreen } from './auth/LoadingScreen.js';
import type { Player } from './data/player.js';
import { LogoutButton, PlayerBadge } from './auth/PlayerBadge.js';
import { useSession, useSessionState } from './auth/SessionContext.js';
import { LastGames, type LastGames as LastGamesState, useLastGames } from './history/LastGames.js';
import { LeaderboardButton } from './leaderboard/LeaderboardButton.js';
import { type Deliveries, useDelivery } from './play/delivery.js';
import { GameCard } from './play/GameCard.js';
import { Switches } from './play/Switches.js';
import { putStats, useStats } from './data/playerStats.js';
import { Greeting } from './player/Greeting.js';
import { StatsPanel } from './stats/StatsPanel.js';
import { LoadedDialog, loadDialogs, useDialogs } from './loadedDialogs.js';
import { Button } from './ui/Button.js';
import { Card } from './ui/Card.js';
import { Caught } from './ui/failure/Caught.js';
import { NotLoaded } from './ui/failure/NotLoaded.js';
import { askedPlayer } from './ui/PlayerLink.js';
import { ThemeToggle } from './ui/theme/theme.js';
import './App.css';

export { TrialGame } from './play/TrialGame.js';

type Open = ReturnType<typeof useDialogs>['onOpen'];

/** After a failed load, the opened challenge tries again. */
const Today = lazy(() =>
  loadDialogs().then(
    (loaded) => ({ default: loaded.Today }),
    () => ({ default: TodayEntry }),
  ),
);

const loadPractice = async () => (await loadDialogs()).PracticeDialog;
const Practice = lazy(async () => ({ default: await loadPractice().catch(() => NotLoaded) }));

/** What the login screen says of the link that a visitor has followed. */
export const Dare = (props: { onDared: () => void }) =>
  askedPlayer() ? <Greeting /> : <LinkedDare {...props} Practice={Practice} />;

/** The page of a signed-in player. Only this file and the dialogs combine the features. */
export default function App() {
  const session = useSession();
  const { player } = useSessionState();
  const [client] = useState(() => player && createApolloClient(session, player.id));
  if (!client || !player) return null;
  return (
    <ApolloProvider client={client}>
      <LoadedGameScreen player={player} />
    </ApolloProvider>
  );
}

/** From the next visit on, the page opens without a network. A failure affects nothing else. */
async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
  } catch (problem) {
    console.warn(problem instanceof Error ? problem.message : problem);
  }
}

/** The game screen, or the loading screen until the stats are there. */
function LoadedGameScreen({ player }: { player: Player }) {
  const stats = useStats(player.id);
  const games = useLastGames();
  // Deferred, so that React draws the game in short tasks.
  const loading = useDeferredValue(stats.loading);

  useEffect(() => {
    if (loading) return;
    // A failure becomes visible when a dialog opens.
    void loadDialogs();
    void registerServiceWorker();
  }, [loading]);

  if (loading) return <LoadingScreen note={msg`Loading stats...`} />;
  return <GameScreen player={player} playerStats={stats} games={games} />;
}

interface GameScreenProps {
  player: Player;
  playerStats: ReturnType<typeof useStats>;
  games: LastGamesState;
}

function GameScreen({ player, playerStats, games }: GameScreenProps) {
  const { t } = useLingui();
  const session = useSession();
  const ended = useSessionState().phase === 'ended';
  useEffect(() => () => session.setGameOnBoard(false), [session]);
  const { stats: serverStats, asOf, retryIfFailed } = playerStats;
  const deliveries = useDelivery(player.id);
  const { stats } = deliveries;
  const onCounted = useCountedGames(player.id, deliveries, playerStats, games);
  const [bonus, setBonus] = useState(false);
  const { dialogs, chunk, returned, onOpen, onClose } = useDialogs();

  return (
    <div className="app">
      <Header player={player} onOpen={onOpen} />
      <LinkHint player={player} isNew={Boolean(serverStats) && !gamesIn(stats)} onOpen={() => onOpen('account')} />
      <main className="stack">
        <h1 className="visually-hidden">{t`Tic-Tac-Toe`}</h1>
        <GameCard
          playerId={player.id}
          deliveries={deliveries}
          ended={ended}
          onBonus={setBonus}
          onGameOnBoard={session.setGameOnBoard}
          onNewGame={retryIfFailed}
          onSignInAgain={session.toLoginScreen}
        />
        <Side stats={stats} bonus={bonus} asOf={asOf} games={games} onOpen={onOpen} />
      </main>
      {dialogs.map((dialog, level) => {
        const props = { dialog, returned, player, onCounted, onOpen, onBonus: setBonus, onClose: () => onClose(level) };
        return (
          <Caught key={level + JSON.stringify(dialog)} fallback={<NotLoaded onClose={props.onClose} />}>
            <Suspense>{chunk && <LoadedDialog {...props} chunk={chunk} />}</Suspense>
          </Caught>
        );
      })}
    </div>
  );
}

/**
 * Adds each counted game to the list of games and fetches the stats again.
 * @returns takes the stats of a game of the challenge, and tells every part of the page that it was counted
 */
function useCountedGames(
  playerId: string,
  { onCounted, tellCounted }: Deliveries,
  { refetchSoon }: ReturnType<typeof useStats>,
  { add }: LastGamesState,
) {
  const client = useApolloClient();
  useEffect(() => {
    return onCounted((answer) => {
      if (answer) add(answer.game);
      else void client.refetchQueries({ include: ['MyGames', 'MyChallenge'] });
      refetchSoon();
    });
  }, [onCounted, add, client, refetchSoon]);
  return useCallback(
    (stats: Stats) => {
      putStats(client.cache, playerId, stats);
      tellCounted();
    },
    [client, playerId, tellCounted],
  );
}

const GAMES_WITH_RULES = 10;

/** The header and the side do not change with a dialog. */
const Header = memo(function Header({ player, onOpen }: { player: Player; onOpen: Open }) {
  return (
    <header className="header actions">
      <PlayerBadge player={player} onOpen={() => onOpen('account')} />
      <LeaderboardButton onOpen={() => onOpen('leaderboard')} />
      <Menu onOpen={onOpen} />
      <LogoutButton />
    </header>
  );
});

/** What is set once. The browser closes it by a press elsewhere, and before a dialog. */
function Menu({ onOpen }: { onOpen: Open }) {
  const { t } = useLingui();
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const openShortcuts = () => {
    // Gives the focus back to its button, to which the dialog returns it.
    menu.current?.hidePopover();
    onOpen('shortcuts');
  };
  return (
    <>
      <Button look="quiet" popoverTarget={id} aria-label={t`Menu`} title={t`Menu`}>
        <MenuIcon aria-hidden />
      </Button>
      <div ref={menu} id={id} popover="auto" className="menu card" role="group" aria-label={t`Menu`}>
        <Switches />
        <ThemeToggle />
        <Button look="quiet" className="menu-shortcuts" onClick={openShortcuts}>
          <Keyboard aria-hidden />
          <span>{t`Keyboard shortcuts`}</span>
        </Button>
        <a href="/accessibility" hrefLang="en">{t`Accessibility`}</a>
      </div>
    </>
  );
}

interface SideProps {
  stats: Stats;
  bonus: boolean;
  asOf: number | null;
  games: LastGamesState;
  onOpen: Open;
}

/** Beside the board: the stats, the challenge, the last games and the rules. */
const Side = memo(function Side({ stats, bonus, asOf, games, onOpen }: SideProps) {
  const openChallenge = () => onOpen('challenge');
  const isNewcomer = !gamesIn(stats) && !games.failed && !games.games?.length;
  return (
    <div className="side">
      <StatsPanel stats={stats} bonus={bonus} asOf={asOf} />
      <Suspense fallback={<TodayEntry />}>
        <Today onOpen={openChallenge} />
      </Suspense>
      {!isNewcomer && <LastGames {...games} onOpen={onOpen} />}
      {/* The first game creates the rules anew: an element that moves down would count as a layout shift. */}
      <HowToPlay key={String(isNewcomer)} open={gamesIn(stats) < GAMES_WITH_RULES} />
    </div>
  );
});

/** Has the room of today's challenge until its panel is loaded, and a button where it cannot be. */
function TodayEntry({ onOpen }: { onOpen?: () => void }) {
  const { t } = useLingui();
  return (
    <Card className="today" title={t`Today's challenge`}>
      {onOpen && <Button onClick={onOpen}>{t`Try again`}</Button>}
    </Card>
  );
}

/** Open for the first games. */
function HowToPlay({ open }: { open: boolean }) {
  const { t } = useLingui();
  const heading = useId();
  const rows = [
    [t`Objective`, t`Get three Xs in a row: across, down or diagonally.`],
    [t`Scoring`, t`Win +1, loss −1, draw 0.`],
    [t`Bonus`, t`Three wins in a row earn +1 more.`],
    [t`Difficulty`, t`Choose it between games. A win counts the same on each.`],
  ];
  return (
    <section className="card how" aria-labelledby={heading}>
      <details open={open}>
        <summary className="card-header">
          <h2 id={heading}>{t`How to Play`}</h2>
          <ChevronDown aria-hidden />
        </summary>
        <dl>
          {rows.map(([term, text]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd className="soft">{text}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}
