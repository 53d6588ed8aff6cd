import { useLingui } from '@lingui/react/macro';
import { Download, Trash2 } from 'lucide-react';
import { PRIVACY_URL } from '../data/settings.js';
import { Button } from '../ui/Button.js';
import { Question, Section, useFocusAfter } from './parts.js';
import type { useAccount } from './useAccount.js';

interface Props extends Pick<ReturnType<typeof useAccount>, 'busy' | 'download' | 'deleteAccount'> {
  deleting: boolean;
  setDeleting: (deleting: boolean) => void;
}

export function YourData({ busy, download, deleteAccount, deleting, setDeleting }: Props) {
  const { t } = useLingui();
  const asker = useFocusAfter<HTMLButtonElement>(deleting);
  return (
    <Section title={t`Your data`}>
      {deleting ? (
        <Question title={t`Delete your account?`} danger>
          <p>
            {t`Your profile, score and games are deleted at once, for good. For 30 days we keep an anonymous marker of your sign-in.`}
          </p>
          <div className="actions">
            <Button onClick={() => setDeleting(false)}>{t`Keep my account`}</Button>
            <Button look="danger" aria-disabled={busy} onClick={() => void deleteAccount()}>
              {t`Delete for good`}
            </Button>
          </div>
        </Question>
      ) : (
        <div className="actions">
          <Button aria-disabled={busy} onClick={() => void download()}>
            <Download aria-hidden />
            {t`Download my data`}
          </Button>
          <Button ref={asker} className="account-delete" onClick={() => setDeleting(true)}>
            <Trash2 aria-hidden />
            {t`Delete account`}
          </Button>
        </div>
      )}
      <a href="/playground/?open=tokens">{t`Personal tokens for programs`}</a>
      {PRIVACY_URL && <a href={PRIVACY_URL}>{t`Privacy policy`}</a>}
    </Section>
  );
}
