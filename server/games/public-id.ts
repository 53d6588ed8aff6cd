import { uuidBytes, uuidText } from '../base/uuid.js';

/** Where a game is stored. */
export interface GameKey {
  readonly playerId: string;
  readonly id: string;
}

const LENGTH = 43;

/** The id that clients see: base64url of player and game, so that it leads to the shard of the player. */
export function publicGameId(playerId: string, id: string): string {
  return Buffer.concat([uuidBytes(playerId), uuidBytes(id)]).toString('base64url');
}

/** @returns undefined when the text is no id of a game */
export function readPublicGameId(text: string): GameKey | undefined {
  if (text.length !== LENGTH) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  // The decoder tolerates stray bits and foreign characters, so compare.
  if (bytes.toString('base64url') !== text) return undefined;
  return { playerId: uuidText(bytes.subarray(0, 16)), id: uuidText(bytes.subarray(16)) };
}
