import { useState } from 'react';
import type { Stats } from '../../game/scoring.js';
import { messages } from '../messages/game.js';
import { Announcer } from '../ui/Announcer.js';
import { Avatar } from '../ui/Avatar.js';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { passFocusOn } from '../ui/passFocusOn.js';
import type { FeedbackKind } from '../ui/feedbackSwitches.js';
import { Achievements } from './Achievements.js';
import { Browsers } from './Browsers.js';
import { FeedbackSwitches } from './FeedbackSwitches.js';
import { Install } from './Install.js';
import { SignInMethods } from './links/SignInMethods.js';
import { YourData } from './YourData.js';
import { useAccount } from './useAccount.js';
import type { AccountOptions } from './useAccount.js';
import { useLinks } from './links/useLinks.js';
import type { LinkOptions } from './links/useLinks.js';
import './AccountDialog.css';

interface Props extends AccountOptions, LinkOptions {
  player: { id: string; name: string; email: string | null; picture: string; provider: string };
  stats: Stats;
  onFeedbackOn: (kind: FeedbackKind) => void;
  onClose: () => void;
  /** Lets the browser ask whether to install the page; null where it does not offer that. */
  install: (() => void) | null;
}

export function AccountDialog(props: Props) {
  const { player, stats, onFeedbackOn, onClose, install } = props;
  const account = useAccount(props);
  const links = useLinks(props, account.attempt);
  const [deleting, setDeleting] = useState(false);
  const cancel = () => {
    setDeleting(false);
    links.cancel();
  };
  return (
    <Dialog
      title={messages.account.title}
      onClose={onClose}
      // Escape cancels a question before it closes the dialog.
      onEscape={deleting || links.asking ? cancel : onClose}
      footer={
        account.problem && (
          <div className={`account-problem ${account.problem.needsSignIn ? 'account-sign-in' : ''}`}>
            {/* Empty during a retry, so that screen readers announce the same sentence again. */}
            <p role="alert">{account.busy ? '\u00a0' : account.problem.sentence}</p>
            <Button ref={passFocusOn} onClick={account.problem.retry}>
              {account.problem.needsSignIn ? messages.account.signInAgain(player.provider) : messages.account.retry}
            </Button>
          </div>
        )
      }
    >
      <div className="account">
        <div className="account-who">
          <Avatar name={player.name} picture={player.picture} />
          <p>
            <b dir="auto">{player.name}</b>
            {player.email && <span dir="auto">{player.email}</span>}
            <span>{messages.account.signedInWith(player.provider)}</span>
          </p>
        </div>
        <Achievements stats={stats} />
        <FeedbackSwitches onSwitchedOn={onFeedbackOn} />
        <SignInMethods links={links} stats={stats} busy={account.busy} />
        <Browsers {...account} />
        {install && <Install onInstall={install} />}
        <YourData {...account} deleting={deleting} setDeleting={setDeleting} />
        <Announcer text={account.done} />
      </div>
    </Dialog>
  );
}
