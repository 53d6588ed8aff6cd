import { messages } from '../../messages/login.js';
import './LoadingScreen.css';

/** @param note names the step that is in progress */
export function LoadingScreen({ title = messages.auth.loading, note }: { title?: string; note?: string }) {
  return (
    <main className="centred whole-screen" aria-busy="true">
      <h1 className="visually-hidden">{messages.title}</h1>
      <div className="loading-marks" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
      <div role="status">
        <p className="loading-title">{title}</p>
        {note && <p className="loading-note">{note}</p>}
      </div>
    </main>
  );
}
