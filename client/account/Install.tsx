import { MonitorDown } from 'lucide-react';
import { messages } from '../messages/game.js';
import { Button } from '../ui/Button.js';
import { passFocusOn } from '../ui/passFocusOn.js';

/** Disappears after use, because a browser offers the installation once. */
export function Install({ onInstall }: { onInstall: () => void }) {
  return (
    <div>
      <h3>{messages.account.app}</h3>
      <p className="account-install">{messages.account.installText}</p>
      <div className="account-actions">
        <Button ref={passFocusOn} onClick={onInstall}>
          <MonitorDown aria-hidden />
          {messages.account.install}
        </Button>
      </div>
    </div>
  );
}
