/** The signed-in player, as the server derived it from the provider's profile. */
export interface Player {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly picture: string;
  readonly provider: string;
}

export type Provider = 'google' | 'github' | 'unknown';
