import { ChevronDown, LogOut } from 'lucide-react';
import { useEffect, useState } from 'react';
import { messages } from '../messages/game.js';
import { Avatar } from '../ui/Avatar.js';
import { Button } from '../ui/Button.js';
import type { Player } from '../data/player.js';
import { useSession } from './SessionContext.js';
import './PlayerBadge.css';

export function PlayerBadge({ player, onOpen }: { player: Player; onOpen: () => void }) {
  return (
    <div className="player">
      <Avatar name={player.name} picture={player.picture} />
      {/* The button says the name. */}
      <span className="player-text" aria-hidden>
        <span className="player-name clipped" dir="auto" translate="no">
          {player.name}
        </span>
        <span className="player-label soft">{messages.auth.player}</span>
      </span>
      <ChevronDown aria-hidden />
      <button type="button" aria-label={messages.openAccount(player.name)} title={player.name} onClick={onOpen} />
    </div>
  );
}

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
