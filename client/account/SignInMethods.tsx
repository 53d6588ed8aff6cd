import { useLingui } from '@lingui/react/macro';
import type { Provider } from '../graphql/generated.js';
import { providerName, PROVIDERS } from '../data/settings.js';
import { Button } from '../ui/Button.js';
import { ProviderMark } from '../ui/ProviderMark.js';
import { say } from './action.js';
import { refusedLink } from './words.js';
import { Question, Row, Section, Since, useFocusAfter } from './parts.js';
import type { useLinks } from './useLinks.js';

interface Props {
  links: ReturnType<typeof useLinks>;
  busy: boolean;
}

export function SignInMethods({ links, busy }: Props) {
  const { t } = useLingui();
  const { identities, pending, unlinking, notice } = links;
  return (
    <Section title={t`Sign-in methods`} heading={useFocusAfter(links.asking)} className="methods">
      {notice && <p role="alert">{say(notice)}</p>}
      {pending && <PendingLink pending={pending} busy={busy} links={links} />}
      {identities ? (
        <ul className="account-rows">
          {PROVIDERS.map((provider) => (
            <Method
              key={provider}
              provider={provider}
              linkedAt={identities.find((identity) => identity.provider === provider)?.linkedAt}
              isOnly={identities.length < 2}
              busy={busy || pending !== null}
              links={links}
            />
          ))}
        </ul>
      ) : (
        links.loading && (
          <div className="account-rows" role="status" aria-label={t`Loading sign-in methods`}>
            {PROVIDERS.map((provider) => (
              <div key={provider} className="account-skeleton skeleton" />
            ))}
          </div>
        )
      )}
      {links.failed && <p role="alert">{t`Your sign-in methods could not be loaded.`}</p>}
      {/* Most players have one, so its line is there before the answer: later it would move what is below. */}
      {PROVIDERS.length > 1 && (identities?.length === 1 || links.loading) && !pending && (
        <p className="soft">{t`Link another one to sign in with either.`}</p>
      )}
      {unlinking && (
        <Question title={t`Unlink ${{ provider: providerName(unlinking) }}?`} danger>
          <p>{t`Signing in with ${{ provider: providerName(unlinking) }} then starts a new account. Your other browsers are signed out.`}</p>
          <div className="actions">
            <Button onClick={links.cancel}>{t`Keep it linked`}</Button>
            <Button look="danger" aria-disabled={busy} onClick={() => void links.unlink()}>
              {t`Unlink ${{ provider: providerName(unlinking) }}`}
            </Button>
          </div>
        </Question>
      )}
    </Section>
  );
}

interface MethodProps {
  provider: Provider;
  linkedAt: string | undefined;
  isOnly: boolean;
  busy: boolean;
  links: Props['links'];
}

function Method({ provider: identity, linkedAt, isOnly, busy, links }: MethodProps) {
  const { t } = useLingui();
  const provider = providerName(identity);
  const link = () => void (busy || links.start(identity));
  const unlink = () => busy || links.setUnlinking(identity);
  return (
    <Row
      icon={<ProviderMark provider={identity} />}
      name={provider}
      facts={[linkedAt ? <Since text={t`Linked`} at={linkedAt} /> : t`Not linked`]}
    >
      {!linkedAt && (
        <Button aria-label={t`Link ${provider}`} aria-disabled={busy} onClick={link}>
          {t`Link`}
        </Button>
      )}
      {linkedAt && !isOnly && (
        <Button aria-label={t`Unlink ${provider}`} aria-disabled={busy} onClick={unlink}>
          {t`Unlink`}
        </Button>
      )}
    </Row>
  );
}

interface PendingProps extends Props {
  pending: NonNullable<Props['links']['pending']>;
}

/** Shows whose identity it is, because the browser may be signed in at the provider as somebody else. */
function PendingLink({ pending: { provider: identity, name, email, refusal }, busy, links }: PendingProps) {
  const { t } = useLingui();
  const provider = providerName(identity);
  return (
    <Question title={refusal ? t`${provider} is not linked` : t`Link ${provider} to this account?`}>
      <p dir="auto" translate="no">
        {email ? `${name}, ${email}` : name}
      </p>
      {refusal ? (
        <p role="alert">{refusedLink(identity, refusal)}</p>
      ) : (
        <p>{t`You can then sign in with ${provider} too.`}</p>
      )}
      <div className="actions">
        <Button onClick={links.cancel}>{refusal ? t`Close` : t`Cancel`}</Button>
        {!refusal && (
          <Button look="main" aria-disabled={busy} onClick={() => void links.confirm()}>
            {t`Link ${provider}`}
          </Button>
        )}
      </div>
    </Question>
  );
}
