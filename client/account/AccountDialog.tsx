import { startTransition, useState } from 'react';
import { messages } from '../messages/account.js';
import { messages as pageMessages } from '../messages/game.js';
import { Announcer } from '../ui/Announcer.js';
import { Button, passFocusOn } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { Tabs } from '../ui/Tabs.js';
import { type AccountTab, tabOf, TABS as NAMES } from './accountAddress.js';
import { Browsers } from './Browsers.js';
import { Profile, type ProfileProps } from './Profile.js';
import { SignInMethods } from './SignInMethods.js';
import { Tokens } from './Tokens.js';
import { type AccountOptions, useAccount } from './useAccount.js';
import { type LinkOptions, useLinks } from './useLinks.js';
import { YourData } from './YourData.js';
import './account.css';

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
