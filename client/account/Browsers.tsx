import { useLingui } from '@lingui/react/macro';
import { Monitor, Smartphone } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { SignedInBrowserFragment } from '../graphql/generated.js';
import { Button } from '../ui/Button.js';
import { browserName } from './words.js';
import { Row, Section, Since } from './parts.js';
import type { useAccount } from './useAccount.js';

const AT_FIRST = 2;

type Props = ReturnType<typeof useAccount>;

export function Browsers({ browsers, loading, busy, signOut, signOutOthers, signOutEverywhere }: Props) {
  const { t } = useLingui();
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
    <Section title={t`Signed-in browsers`} heading={heading}>
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
        loading && (
          <div className="account-skeleton skeleton" role="status" aria-label={t`Loading signed-in browsers`} />
        )
      )}
      <div className="actions">
        {shown.length < inOrder.length && <Button onClick={showAll}>{t`Show all ${{ count: inOrder.length }}`}</Button>}
        {browsers?.some(({ current }) => !current) && (
          <Button aria-disabled={busy} onClick={() => void signOutOthers().then(thenFocusHeading)}>
            {t`Sign out all other browsers`}
          </Button>
        )}
        <Button aria-disabled={busy} onClick={() => void signOutEverywhere()}>
          {t`Sign out everywhere`}
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
  const { t } = useLingui();
  const browser = browserName(named);
  const times = useId();
  const Device = /android|ios|iphone|ipad|mobile/i.test(named) ? Smartphone : Monitor;
  return (
    <Row
      icon={<Device aria-hidden />}
      name={browser}
      facts={[
        current && <span className="tag">{t`This browser`}</span>,
        <Since text={t`Signed in`} at={signedInAt} />,
        !current && <Since text={t`Last seen`} at={lastSeenAt} />,
      ]}
      factsId={times}
    >
      {!current && (
        <Button aria-label={t`Sign out ${browser}`} aria-describedby={times} aria-disabled={busy} onClick={onSignOut}>
          {t`Sign out`}
        </Button>
      )}
    </Row>
  );
}
