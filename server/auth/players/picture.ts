import type { Player } from './player.entity.js';

/** Where the picture of a player is: the provider's, otherwise the avatar generated from the id. */
export function pictureOf({ id, picture }: Pick<Player, 'id' | 'picture'>, publicOrigin: string): string {
  return picture ?? `${publicOrigin}/avatar/${id}.svg`;
}
