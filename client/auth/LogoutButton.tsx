import { LogOut } from 'lucide-react';
import { useEffect, useState } from 'react';
import { messages } from '../messages/login.js';
import { Button } from '../ui/Button.js';
import { useSession } from './SessionContext.js';
import './LogoutButton.css';

const TIME_TO_READ_MS = 10_000;

export function LogoutButton() {
  const session = useSession();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!failed) return;
    const read = setTimeout(() => setFailed(false), TIME_TO_READ_MS);
    return () => clearTimeout(read);
  }, [failed]);

  const logout = () => {
    setFailed(false);
    session.signOut().catch(() => setFailed(true));
  };
  return (
    <>
      <Button look="quiet" onClick={logout}>
        <LogOut aria-hidden />
        <span className="header-label">{messages.auth.logout}</span>
      </Button>
      {failed && (
        <p className="logout-failed" role="alert">
          {messages.auth.logoutFailed}
        </p>
      )}
    </>
  );
}
