import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';

interface Props {
  title?: MessageDescriptor;
  /** Names the step that is in progress. */
  note?: MessageDescriptor | null;
}

/**
 * The frame of the login screen, while the page loads. The build draws it into index.html (vite.config.ts), so that it is seen
 * before any script has arrived; the style sheet is Gate.css.
 */
export function LoadingScreen({ title = msg`Loading...`, note = msg`Checking authentication...` }: Props) {
  const { t } = useLingui();
  return (
    <main className="login" aria-busy="true">
      <div className="login-card card">
        <h1>{t`Tic-Tac-Toe`}</h1>
        <p className="login-tagline">{t`Challenge the AI and climb the leaderboard!`}</p>
        <div className="loading centred">
          <div className="loading-marks" aria-hidden="true">
            <i />
            <i />
            <i />
          </div>
          <div role="status">
            <p className="loading-title">{t(title)}</p>
            {note && <p className="soft">{t(note)}</p>}
          </div>
        </div>
      </div>
    </main>
  );
}
