import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Player } from '../data/player.js';
import { providerName } from '../data/settings.js';
import { Dialog } from '../ui/Dialog.js';
import { LanguageChoice } from '../ui/LanguageChoice.js';
import { Outcome } from './action.js';
import { Browsers } from './Browsers.js';
import { Name, type NameProps, PublicPage } from './Name.js';
import { Section } from './parts.js';
import { Badges, Who } from './Profile.js';
import { SignInMethods } from './SignInMethods.js';
import { type AccountOptions, useAccount } from './useAccount.js';
import { type LinkOptions, useLinks } from './useLinks.js';
import { YourData } from './YourData.js';

interface Props extends AccountOptions, LinkOptions, Pick<NameProps, 'onNamed'> {
  player: Player;
  onClose: () => void;
}

export function AccountDialog(props: Props) {
  const { t } = useLingui();
  const { player, onClose, onNamed } = props;
  const account = useAccount(props);
  const links = useLinks(props, account.attempt);
  const [deleting, setDeleting] = useState(false);
  const cancel = () => {
    setDeleting(false);
    links.cancel();
  };
  return (
    <Dialog
      title={t`Account`}
      onClose={onClose}
      // Escape cancels a question before it closes the dialog.
      onEscape={links.asking || deleting ? cancel : onClose}
      // The question of a link has the prominent button.
      closeLook={links.pending && !links.pending.refusal ? 'plain' : 'main'}
      footer={<Outcome {...account} provider={player.provider} />}
    >
      <div className="account-columns stack">
        <div className="account stack">
          <Who {...player} fact={t`Signed in with ${{ provider: providerName(player.provider) }}`} />
          <Name {...account} player={player} onNamed={onNamed} />
          <Badges />
          <SignInMethods links={links} busy={account.busy} />
        </div>
        <div className="account stack">
          <Browsers {...account} />
          <Section title={t`Language`}>
            <LanguageChoice />
          </Section>
          <PublicPage {...account} player={player} />
          <YourData {...account} deleting={deleting} setDeleting={setDeleting} />
        </div>
      </div>
    </Dialog>
  );
}
