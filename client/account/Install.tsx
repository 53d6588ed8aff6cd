import { MonitorDown } from 'lucide-react';
import { useInstall } from '../install.js';
import { messages } from '../messages/account.js';
import { Button } from '../ui/Button.js';
import { passFocusOn } from '../ui/passFocusOn.js';

/** Disappears after use, because a browser offers the installation once. */
export function Install() {
  const install = useInstall();
  if (!install) return null;
  return (
    <div className="account-install">
      <p>{messages.installText}</p>
      <Button ref={passFocusOn} onClick={install}>
        <MonitorDown aria-hidden />
        {messages.install}
      </Button>
    </div>
  );
}
