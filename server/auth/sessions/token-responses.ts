import { Injectable } from '@nestjs/common';
import { Env } from '../../settings/env.js';
import { type Player, type PlayerType, toPlayerType } from '../players/player.js';
import { PlayersService } from '../players/players.service.js';
import { ACCESS_TOKEN_SECONDS, AccessTokens } from './access-tokens.js';
import type { Session } from './session.js';

/** The answer to a sign-in code or a refresh token, with the names of RFC 6749. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  /** The player as only the player sees them. */
  readonly user: PlayerType & Pick<Player, 'email' | 'provider'>;
}

@Injectable()
export class TokenResponses {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly players: PlayersService,
    private readonly env: Env,
  ) {}

  /** @returns undefined when the player has been deleted meanwhile */
  async responseFor({ id: sessionId, playerId }: Session): Promise<TokenResponse | undefined> {
    const player = await this.players.byId(playerId);
    if (!player) return undefined;
    return {
      access_token: await this.accessTokens.issue({ playerId, sessionId }),
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      user: { ...toPlayerType(player, this.env.publicOrigin), email: player.email, provider: player.provider },
    };
  }
}
