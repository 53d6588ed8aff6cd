import { type ComponentProps, startTransition, use, useCallback, useEffect, useState } from 'react';
import { useSession } from './auth/SessionContext.js';
import { askedDuel } from './challenge/duel.js';
import type * as Dialogs from './dialogs.js';
import { listen } from './ui/listen.js';
import { askedPlayer, pageAddress } from './ui/PlayerLink.js';
import { lostStyles } from './ui/styles.js';
import { useShortcuts } from './ui/shortcuts/useShortcuts.js';

let dialogs: Promise<typeof Dialogs> | undefined;

const load = async () => {
  await lostStyles();
  return import('./dialogs.js');
};

/** The dialogs are loaded once. After a failure, the next call tries again. */
export function loadDialogs() {
  if (!dialogs) {
    dialogs = load();
    dialogs.catch(() => (dialogs = undefined));
  }
  return dialogs;
}

interface Props extends ComponentProps<typeof Dialogs.default> {
  /** Made before the render: a new promise in each render would never end. */
  chunk: Promise<typeof Dialogs>;
}

export function LoadedDialog({ chunk, ...props }: Props) {
  const { default: OpenDialog } = use(chunk);
  return <OpenDialog {...props} />;
}

/** What an entry of the history shows: the open dialogs, each above the one before. */
interface Entry {
  readonly dialogs: readonly Dialogs.DialogName[];
  /** Whether the page has made it, so that Back stays on the page. */
  readonly pushed?: boolean;
}

/** An earlier version of the page has left others. */
const entryNow = (): Entry => ({ dialogs: [], ...(history.state as Partial<Entry> | null) });

/** Writes what is open into the entry. */
function enter(dialogs: Entry['dialogs'], address?: string): void {
  if (history.state || dialogs.length > 0) history.replaceState({ ...entryNow(), dialogs }, '', address);
}

const opening = (dialogs: Entry['dialogs']) => ({ dialogs, chunk: dialogs.length > 0 ? loadDialogs() : null });

/** The dialog of an address to which a sign-in or a link returns, or of a shortcut of the installed app (app.webmanifest). */
function named() {
  const name = location.pathname === '/' && new URLSearchParams(location.search).get('open');
  return (['account', 'challenge', 'leaderboard'] as const).find((one) => one === name);
}

/** The dialogs that the address asks for: after a reload, a player's page has those below it, too. */
function asked(): Entry['dialogs'] {
  const dialog = named();
  if (dialog) return [dialog];
  const player = askedPlayer();
  if (player) return entryNow().dialogs.length > 0 ? entryNow().dialogs : [player];
  // A dare opens the challenge once: a reload keeps the state of its entry.
  return history.state === null && askedDuel() ? ['challenge'] : [];
}

/** A press of a link to a player opens the page here, unless it is one for another tab or window. */
function openPlayer(event: MouseEvent, onOpen: (dialog: Dialogs.DialogName) => void): void {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="/p/"]');
  const player = link && askedPlayer(link.pathname);
  if (!player || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  onOpen(player);
}

/** The open dialogs. A key opens one, a button, a link to a player, or the address to which a sign-in or a link has returned. */
export function useDialogs() {
  const session = useSession();
  const [first] = useState(asked);
  const [opened, setOpened] = useState(() => opening(first));
  const [returned, setReturned] = useState(() => (named() ? location.search : ''));
  // The page answers the press first, and then draws or removes the dialog in short tasks.
  const show = useCallback((dialogs: Entry['dialogs']) => {
    startTransition(() => {
      setOpened(opening(dialogs));
      setReturned('');
    });
  }, []);
  // Back closes the dialog, because each has an entry of its own in the history.
  const onOpen = useCallback(
    (next: Dialogs.DialogName) => {
      const { dialogs, pushed } = entryNow();
      // Two presses open it once.
      if (JSON.stringify(dialogs.at(-1)) === JSON.stringify(next)) return;
      const entry = { dialogs: [...dialogs, next], pushed: true } satisfies Entry;
      const address = typeof next !== 'string' && next.__typename === 'Player' ? pageAddress(next.id) : undefined;
      // A reload leaves the entry of a dialog that it has closed.
      if (pushed && dialogs.length === 0) history.replaceState(entry, '', address);
      else history.pushState(entry, '', address);
      show(entry.dialogs);
    },
    [show],
  );
  useEffect(() => listen(window, 'popstate', () => show(entryNow().dialogs)), [show]);
  const onClose = (level: number) => {
    const { dialogs, pushed } = entryNow();
    // A second press must not go back further.
    if (dialogs.length <= level) return;
    enter(dialogs.slice(0, level), askedPlayer() ? '/' : undefined);
    if (pushed) history.back();
    show(dialogs.slice(0, level));
  };

  useShortcuts({ l: () => onOpen('leaderboard'), '?': () => onOpen('shortcuts') });

  useEffect(() => listen(document, 'click', (event) => openPlayer(event, onOpen)), [onOpen]);

  // On a slow network, the game can appear before the sign-in ends.
  useEffect(() => {
    return session.on(() => {
      const dialog = named();
      if (!dialog) return;
      setReturned(location.search);
      setOpened(opening([dialog]));
      enter([dialog], '/');
    });
  }, [session]);
  // Not with the address of a dialog, so that a reload opens the game.
  useEffect(() => enter(first, named() && '/'), [first]);

  return { ...opened, returned, onOpen, onClose };
}
