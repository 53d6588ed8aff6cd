import { messages } from '../messages/login.js';

interface Props {
  title?: string;
  /** Names the step that is in progress. */
  note?: string;
}

/**
 * The frame of the login screen, while the page loads. The build draws it into index.html (vite.config.ts), so that it is seen
 * before any script has arrived; the style sheet is Gate.css.
 */
export function LoadingScreen({ title = messages.auth.loading, note = messages.auth.checking }: Props) {
  return (
    <main className="login" aria-busy="true">
      <div className="login-card card">
        <h1>{messages.title}</h1>
        <p className="login-tagline">{messages.auth.tagline}</p>
        <div className="loading centred">
          <div className="loading-marks" aria-hidden="true">
            <i />
            <i />
            <i />
          </div>
          <div role="status">
            <p className="loading-title">{title}</p>
            {note && <p className="soft">{note}</p>}
          </div>
        </div>
      </div>
    </main>
  );
}
