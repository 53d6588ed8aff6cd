import { useLingui } from '@lingui/react/macro';
import { ChevronDown, LogOut } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Avatar } from '../ui/Avatar.js';
import { Button } from '../ui/Button.js';
import type { Player } from '../data/player.js';
import { named } from '../messages/words.js';
import { useSession } from './SessionContext.js';
import './PlayerBadge.css';

export function PlayerBadge({ player, onOpen }: { player: Player; onOpen: () => void }) {
  const { t } = useLingui();
  return (
    <div className="player">
      <Avatar name={player.name} picture={player.picture} />
      {/* The button says the name. */}
      <span className="player-text" aria-hidden>
        <span className="player-name clipped" dir="auto" translate="no">
          {player.name}
        </span>
        <span className="player-label soft">{t`Player`}</span>
      </span>
      <ChevronDown aria-hidden />
      <button
        type="button"
        aria-label={named(player.name, t`<0>name</0>, open account`)}
        title={player.name}
        onClick={onOpen}
      />
    </div>
  );
}

const TIME_TO_READ_MS = 10_000;

export function LogoutButton() {
  const { t } = useLingui();
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
        <span className="header-label">{t`Logout`}</span>
      </Button>
      {failed && (
        <p className="logout-failed" role="alert">
          {t`Couldn't sign out: the server doesn't answer.`}
        </p>
      )}
    </>
  );
}
