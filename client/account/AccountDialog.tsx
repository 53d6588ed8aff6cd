import { startTransition, useState } from 'react';
import type { Stats } from '../../game/scoring.js';
import { messages } from '../messages/account.js';
import { messages as pageMessages } from '../messages/game.js';
import { Announcer } from '../ui/Announcer.js';
import { Avatar } from '../ui/Avatar.js';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { Tabs } from '../ui/Tabs.js';
import { passFocusOn } from '../ui/passFocusOn.js';
import type { FeedbackKind } from '../ui/feedbackSwitches.js';
import { TABS as NAMES, tabOf, type AccountTab } from './accountTabs.js';
import { Achievements } from './Achievements.js';
import { Browsers } from './Browsers.js';
import { FeedbackSwitches } from './FeedbackSwitches.js';
import { Install } from './Install.js';
import { SignInMethods } from './links/SignInMethods.js';
import { Tokens } from './tokens/Tokens.js';
import { YourData } from './YourData.js';
import { useAccount, type AccountOptions } from './useAccount.js';
import { useLinks, type LinkOptions } from './links/useLinks.js';
import './AccountDialog.css';

interface ProfileProps {
  player: { id: string; name: string; email: string | null; picture: string; provider: string };
  stats: Stats;
  onFeedbackOn: (kind: FeedbackKind) => void;
}

interface Props extends ProfileProps, AccountOptions, LinkOptions {
  player: ProfileProps['player'];
  onClose: () => void;
}

const TABS = NAMES.map((name) => ({ name, label: messages.tabs[name] }));

export function AccountDialog(props: Props) {
  const { returned, onClose } = props;
  const [chosen, setChosen] = useState<AccountTab | null>(null);
  const [drawn, setDrawn] = useState<AccountTab | null>(null);
  const tab = chosen ?? tabOf(returned);
  const account = useAccount(props, tab);
  const links = useLinks(props, account.attempt);
  const [deleting, setDeleting] = useState(false);
  const shown = drawn ?? tabOf(returned);
  const asking = tab === 'sign-in' ? links.asking : deleting;
  const cancel = () => {
    setDeleting(false);
    links.cancel();
  };
  const choose = (next: AccountTab) => {
    setChosen(next);
    // The tab answers the press first.
    startTransition(() => {
      setDrawn(next);
      // The question of a link stays, because only its provider can ask it again.
      setDeleting(false);
      links.setUnlinking(null);
    });
  };
  return (
    <Dialog
      title={messages.title}
      onClose={onClose}
      // Escape cancels a question before it closes the dialog.
      onEscape={asking ? cancel : onClose}
      // The question of a link and the form of a token have the prominent button.
      closeLook={tab === 'tokens' || (tab === 'sign-in' && links.pending && !links.pending.refusal) ? 'plain' : 'main'}
      footer={account.problem && <Problem {...account} problem={account.problem} provider={props.player.provider} />}
    >
      <Tabs label={messages.title} tabs={TABS} selected={tab} shown={shown} onSelect={choose}>
        <div className="account">
          {shown === 'profile' && <Profile {...props} />}
          {shown === 'sign-in' && (
            <>
              <SignInMethods links={links} busy={account.busy} seen={chosen !== null} />
              {/* The question of a link has the tab for itself, so that it needs no scrolling. */}
              {!links.pending && <Browsers {...account} />}
            </>
          )}
          {shown === 'tokens' && <Tokens {...account} />}
          {shown === 'data' && <YourData {...account} deleting={deleting} setDeleting={setDeleting} />}
        </div>
      </Tabs>
      <Announcer text={account.done} />
    </Dialog>
  );
}

function Profile({ player, stats, onFeedbackOn }: ProfileProps) {
  return (
    <>
      <div className="account-who">
        <Avatar name={player.name} picture={player.picture} />
        <p>
          <b dir="auto">{player.name}</b>
          {player.email && <span dir="auto">{player.email}</span>}
          <span>{messages.signedInWith(player.provider)}</span>
        </p>
      </div>
      <Achievements stats={stats} />
      <FeedbackSwitches onSwitchedOn={onFeedbackOn} />
      <Install />
    </>
  );
}

interface ProblemProps {
  problem: NonNullable<ReturnType<typeof useAccount>['problem']>;
  busy: boolean;
  provider: string;
}

function Problem({ problem: { needsSignIn, sentence, retry }, busy, provider }: ProblemProps) {
  return (
    <div className={`account-problem ${needsSignIn ? 'account-sign-in' : ''}`}>
      {/* Empty during a retry, so that screen readers announce the same sentence again. */}
      <p role="alert">{busy ? '\u00a0' : sentence}</p>
      <Button ref={passFocusOn} onClick={retry}>
        {needsSignIn ? messages.signInAgain(provider) : pageMessages.retry}
      </Button>
    </div>
  );
}
