import { messages } from '../messages/game.js';
import { Avatar } from '../ui/Avatar.js';
import type { Player } from './player.js';
import './PlayerBadge.css';

/** Shows the signed-in player and opens the account. */
export function PlayerBadge({ player, onOpen }: { player: Player; onOpen: () => void }) {
  return (
    <button type="button" className="player" onClick={onOpen}>
      <Avatar name={player.name} picture={player.picture} />
      <span className="player-text">
        <span className="visually-hidden">{messages.accountOf} </span>
        <span className="player-name clipped" dir="auto" title={player.name}>
          {player.name}
        </span>{' '}
        <span className="player-label">{messages.auth.player}</span>
      </span>
    </button>
  );
}
