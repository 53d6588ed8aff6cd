import { Ban, Identity } from './identity.entity.js';
import { Player } from './player.entity.js';

/** The tables of this folder. */
export const PLAYER_ENTITIES = [Player, Identity, Ban];
