/** What the leaderboard dialog gives to the content of a tab. */
export interface BoardProps {
  readonly playerId: string;
  /** A part of the dialog's footer, for the player's own place. Null until the dialog is drawn. */
  readonly footer: HTMLElement | null;
}
