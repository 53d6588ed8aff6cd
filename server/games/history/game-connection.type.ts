import { connectionType } from '../../web/answers/page-info.type.js';
import { GameType } from '../game.type.js';

export const GameConnection = connectionType('Game', GameType, {
  page: "A page of a player's games",
  edges: 'The games, newest first.',
});
export type GameConnection = InstanceType<typeof GameConnection>;
