import { MonitorDown } from 'lucide-react';
import { messages } from '../messages/account.js';
import { Button } from '../ui/Button.js';
import { passFocusOn } from '../ui/passFocusOn.js';

/** Disappears after use, because a browser offers the installation once. */
export function Install({ onInstall }: { onInstall: () => void }) {
  return (
    <div className="account-install">
      <p>{messages.installText}</p>
      <Button ref={passFocusOn} onClick={onInstall}>
        <MonitorDown aria-hidden />
        {messages.install}
      </Button>
    </div>
  );
}
