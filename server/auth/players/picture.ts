import type { Player } from './player.entity.js';

/** The address of a player's picture: the provider's, or the avatar that the id generates. */
export function pictureOf({ id, picture }: Pick<Player, 'id' | 'picture'>, publicOrigin: string): string {
  return picture ?? `${publicOrigin}/avatar/${id}.svg`;
}
