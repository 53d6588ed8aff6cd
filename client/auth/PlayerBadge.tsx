import { texts } from '../texts/entrance.js';
import { Avatar } from '../ui/Avatar.js';
import type { Player } from './player.js';
import './PlayerBadge.css';

export function PlayerBadge({ player }: { player: Player }) {
  return (
    <div className="player">
      <Avatar name={player.name} picture={player.picture} />
      <div className="player-text">
        <span className="player-name" dir="auto" title={player.name}>
          {player.name}
        </span>
        <span className="player-label">{texts.auth.player}</span>
      </div>
    </div>
  );
}
