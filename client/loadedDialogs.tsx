import { type ComponentProps, startTransition, use, useCallback, useEffect, useState } from 'react';
import { isAccountAsked } from './account/accountAddress.js';
import { useSession } from './auth/SessionContext.js';
import { askedDuel } from './challenge/duel.js';
import type * as Dialogs from './dialogs.js';
import { listen } from './ui/listen.js';
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

const ENTRY = 'dialog';

const opening = (dialog: Dialogs.DialogName | null) => dialog && { dialog, chunk: loadDialogs() };

/** The open dialog. A key opens it, a button, or the address to which a sign-in or a link has returned. */
export function useDialog() {
  const session = useSession();
  // A dare opens the challenge once: a reload keeps the state of its entry.
  const [dared] = useState(() => history.state === null && askedDuel() !== null);
  const [opened, setOpened] = useState(() => opening(isAccountAsked() ? 'account' : dared ? 'challenge' : null));
  const [returned, setReturned] = useState(() => (isAccountAsked() ? location.search : ''));
  // The page answers the press first, and then draws or removes the dialog in short tasks.
  const show = useCallback(
    (next: Dialogs.DialogName | null) =>
      startTransition(() => {
        setOpened(opening(next));
        setReturned('');
      }),
    [],
  );
  // Back closes the dialog, because each has an entry of its own in the history.
  const onOpen = useCallback(
    (next: Dialogs.DialogName) => {
      if (history.state !== ENTRY) history.pushState(ENTRY, '');
      show(next);
    },
    [show],
  );
  useEffect(() => listen(window, 'popstate', () => show(null)), [show]);
  const onClose = () => {
    if (history.state === ENTRY) {
      // A second press must not go back further.
      history.replaceState(null, '');
      history.back();
    }
    show(null);
  };

  useShortcuts({
    l: () => onOpen('leaderboard'),
    '?': () => onOpen('shortcuts'),
  });

  // On a slow network, the game can appear before the sign-in ends.
  useEffect(
    () =>
      session.on(() => {
        if (!isAccountAsked()) return;
        setReturned(location.search);
        setOpened(opening('account'));
      }),
    [session],
  );
  useEffect(() => {
    if (dared) history.replaceState('dared', '');
  }, [dared]);
  useEffect(() => {
    // Remove the address, so that a reload opens the game.
    if (opened?.dialog === 'account' && isAccountAsked()) history.replaceState(null, '', '/');
  }, [opened]);

  return { opened, returned, onOpen, onClose };
}
