/** The address of a player's picture: the provider's, or the avatar that the id generates. */
export function pictureOf({ id, picture }: { id: string; picture: string | null }, publicOrigin: string): string {
  return picture ?? `${publicOrigin}/avatar/${id}.svg`;
}
