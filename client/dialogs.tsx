import type { ComponentProps } from 'react';
import { AccountDialog } from './account/AccountDialog.js';
import { useSession } from './auth/SessionContext.js';
import type { Player } from './data/player.js';
import { signedInFetch } from './data/apollo.js';
import { signInPath } from './data/settings.js';
import type { Dare } from '../game/dare.js';
import { ChallengeDialog, PracticeDialog } from './challenge/ChallengeDialog.js';
import type { HistoryGameFragment } from './graphql/generated.js';
import { ReplayDialog } from './history/ReplayDialog.js';
import { LeaderboardDialog } from './leaderboard/LeaderboardDialog.js';
import { PlayerDialog } from './player/PlayerDialog.js';
import { ShortcutsDialog } from './ui/shortcuts/ShortcutsDialog.js';

/** In the same chunk: what two late chunks shared with the game would be a third file, which the game waits for. */
export { PracticeDialog } from './challenge/ChallengeDialog.js';
export { default as Today } from './challenge/Today.js';

/** The dialog to open. A game opens its replay, a player a page, and a dare the practice of its day. */
type Shown = HistoryGameFragment | { __typename: 'Player'; id: string } | ({ __typename: 'Practice' } & Dare);
export type DialogName = 'account' | 'challenge' | 'leaderboard' | 'shortcuts' | Shown;

interface Props extends Omit<ComponentProps<typeof ChallengeDialog>, 'playerId' | 'onOpen'> {
  dialog: DialogName;
  player: Player;
  onOpen: (dialog: DialogName) => void;
  /** The query of the address to which a sign-in or a link has returned. */
  returned: string;
}

/** The open dialog. All dialogs are in one separate chunk, which loads in idle time after the game. */
export default function OpenDialog({ dialog, player, returned, onOpen, onClose, ...challenge }: Props) {
  const session = useSession();
  switch (dialog) {
    case 'account':
      return (
        <AccountDialog
          player={player}
          onNamed={() => session.renew()}
          fetchExport={() => signedInFetch(session, player.id, '/api/account/export')}
          reauthenticate={() => session.reauthenticate(player.provider, '/?open=account')}
          postLink={(provider) => signedInFetch(session, player.id, `${signInPath(provider)}/link`, 'POST')}
          returned={returned}
          onSignedOut={(reason) => session.leave(reason)}
          onClose={onClose}
        />
      );
    case 'challenge':
      return <ChallengeDialog playerId={player.id} {...challenge} onOpen={onOpen} onClose={onClose} />;
    case 'leaderboard':
      return <LeaderboardDialog playerId={player.id} onClose={onClose} />;
    case 'shortcuts':
      return <ShortcutsDialog onClose={onClose} />;
  }
  if (dialog.__typename === 'Game') return <ReplayDialog game={dialog} onClose={onClose} />;
  if (dialog.__typename === 'Practice') return <PracticeDialog playerId={player.id} dare={dialog} onClose={onClose} />;
  return <PlayerDialog playerId={dialog.id} isYou={dialog.id === player.id} onOpen={onOpen} onClose={onClose} />;
}
