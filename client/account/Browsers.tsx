import { Monitor, Smartphone } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { SignedInBrowserFragment } from '../graphql/generated.js';
import { browserName, messages } from '../messages/account.js';
import { Button } from '../ui/Button.js';
import { Row, Section, Since } from './parts.js';
import type { useAccount } from './useAccount.js';

const AT_FIRST = 2;

type Props = ReturnType<typeof useAccount>;

export function Browsers({ browsers, loading, busy, signOut, signOutOthers, signOutEverywhere }: Props) {
  const [showsAll, setShowsAll] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // This one first, then those that were seen last.
  const inOrder = (browsers ?? []).toSorted((one, other) => Number(other.current) - Number(one.current));
  const shown = showsAll ? inOrder : inOrder.slice(0, AT_FIRST);
  const showAll = () => {
    setShowsAll(true);
    heading.current?.focus();
  };
  // The pressed button disappears together with its browser.
  const thenFocusHeading = (done: boolean) => void (done && heading.current?.focus());

  return (
    <Section title={messages.browsers} heading={heading}>
      {browsers ? (
        <ul className="account-rows">
          {shown.map((browser) => (
            <Browser
              key={browser.id}
              browser={browser}
              busy={busy}
              onSignOut={() => void signOut(browser).then(thenFocusHeading)}
            />
          ))}
        </ul>
      ) : (
        loading && <div className="account-skeleton skeleton" role="status" aria-label={messages.loading} />
      )}
      <div className="actions">
        {shown.length < inOrder.length && <Button onClick={showAll}>{messages.allBrowsers(inOrder.length)}</Button>}
        {browsers?.some(({ current }) => !current) && (
          <Button aria-disabled={busy} onClick={() => void signOutOthers().then(thenFocusHeading)}>
            {messages.signOutOthers}
          </Button>
        )}
        <Button aria-disabled={busy} onClick={() => void signOutEverywhere()}>
          {messages.signOutEverywhere}
        </Button>
      </div>
    </Section>
  );
}

interface BrowserProps {
  browser: SignedInBrowserFragment;
  busy: boolean;
  onSignOut: () => void;
}

function Browser({ browser: { browser: named, signedInAt, lastSeenAt, current }, busy, onSignOut }: BrowserProps) {
  const browser = browserName(named);
  const times = useId();
  const Device = /android|ios|iphone|ipad|mobile/i.test(named) ? Smartphone : Monitor;
  return (
    <Row
      icon={<Device aria-hidden />}
      name={browser}
      facts={[
        current && <span className="tag">{messages.thisBrowser}</span>,
        <Since text={messages.signedIn} at={signedInAt} />,
        !current && <Since text={messages.lastSeen} at={lastSeenAt} />,
      ]}
      factsId={times}
    >
      {!current && (
        <Button
          aria-label={messages.signOutOf(browser)}
          aria-describedby={times}
          aria-disabled={busy}
          onClick={onSignOut}
        >
          {messages.signOut}
        </Button>
      )}
    </Row>
  );
}
