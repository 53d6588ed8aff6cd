import type { Provider } from '../graphql/generated.js';
import { links as messages } from '../messages/account.js';
import { PROVIDERS } from '../data/settings.js';
import { Button } from '../ui/Button.js';
import { ProviderMark } from '../ui/ProviderMark.js';
import { Question, Row, Section, Since, useFocusAfter } from './parts.js';
import type { useLinks } from './useLinks.js';

interface Props {
  links: ReturnType<typeof useLinks>;
  busy: boolean;
}

export function SignInMethods({ links, busy }: Props) {
  const { identities, pending, unlinking, notice } = links;
  return (
    <Section title={messages.title} heading={useFocusAfter(links.asking)} className="methods">
      {notice && <p role="alert">{notice}</p>}
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
          <div className="account-rows" role="status" aria-label={messages.loading}>
            {PROVIDERS.map((provider) => (
              <div key={provider} className="account-skeleton skeleton" />
            ))}
          </div>
        )
      )}
      {links.failed && <p role="alert">{messages.failed.load}</p>}
      {/* Most players have one, so its line is there before the answer: later it would move what is below. */}
      {PROVIDERS.length > 1 && (identities?.length === 1 || links.loading) && !pending && (
        <p className="soft">{messages.both}</p>
      )}
      {unlinking && (
        <Question title={messages.unlinkQuestion(unlinking)} danger>
          <p>{messages.unlinkText(unlinking)}</p>
          <div className="actions">
            <Button onClick={links.cancel}>{messages.keep}</Button>
            <Button look="danger" aria-disabled={busy} onClick={() => void links.unlink()}>
              {messages.unlinkFrom(unlinking)}
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

function Method({ provider, linkedAt, isOnly, busy, links }: MethodProps) {
  return (
    <Row
      icon={<ProviderMark provider={provider} />}
      name={messages.provider(provider)}
      facts={[linkedAt ? <Since text={messages.linked} at={linkedAt} /> : messages.notLinked]}
    >
      {!linkedAt && (
        <Button
          aria-label={messages.linkWith(provider)}
          aria-disabled={busy}
          onClick={() => void (busy || links.start(provider))}
        >
          {messages.link}
        </Button>
      )}
      {linkedAt && !isOnly && (
        <Button
          aria-label={messages.unlinkFrom(provider)}
          aria-disabled={busy}
          onClick={() => busy || links.setUnlinking(provider)}
        >
          {messages.unlink}
        </Button>
      )}
    </Row>
  );
}

interface PendingProps extends Props {
  pending: NonNullable<Props['links']['pending']>;
}

/** Shows whose identity it is, because the browser may be signed in at the provider as somebody else. */
function PendingLink({ pending: { provider, name, email, refusal }, busy, links }: PendingProps) {
  return (
    <Question title={refusal ? messages.refused(provider) : messages.question(provider)}>
      <p dir="auto" translate="no">
        {messages.who(name, email)}
      </p>
      {refusal ? <p role="alert">{messages.refusal(provider, refusal)}</p> : <p>{messages.effect(provider)}</p>}
      <div className="actions">
        <Button onClick={links.cancel}>{refusal ? messages.close : messages.cancel}</Button>
        {!refusal && (
          <Button look="main" aria-disabled={busy} onClick={() => void links.confirm()}>
            {messages.linkWith(provider)}
          </Button>
        )}
      </div>
    </Question>
  );
}
