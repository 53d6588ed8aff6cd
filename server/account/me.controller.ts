import { Controller, Get, Header, Req, UnauthorizedException, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Env } from '../settings/env.js';
import { DatabaseTurns } from '../web/requests/database-turns.js';
import { pictureOf } from '../auth/players/picture.js';
import { PlayersService } from '../auth/players/players.service.js';
import { type ListedToken, PersonalTokensService } from '../auth/sessions/personal-tokens.service.js';
import { NeedsScope, SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import { SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';

/** Whose token it is. */
interface RestMe {
  readonly id: string;
  readonly name: string;
  readonly picture: string;
  /** Null for the access token of a browser, which may do everything. */
  readonly token: {
    readonly name: string;
    readonly scopes: readonly string[];
    readonly expires_at: Date | null;
  } | null;
}

/** Tells a program whose token it has. */
@Controller('api/me')
@UseGuards(SignedInGuard)
export class MeController {
  constructor(
    private readonly players: PlayersService,
    private readonly tokens: PersonalTokensService,
    private readonly env: Env,
    private readonly turns: DatabaseTurns,
  ) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @NeedsScope('any')
  me(@SignedIn() signedIn: SignedInPlayer, @Req() { raw }: FastifyRequest): Promise<RestMe> {
    return this.turns.run(raw, 'reads', () => this.of(signedIn));
  }

  private async of({ playerId, sessionId, scopes }: SignedInPlayer): Promise<RestMe> {
    const player = await this.players.byId(playerId);
    if (!player) throw new UnauthorizedException('This account no longer exists.');
    const token = scopes && (await this.tokens.liveOf(playerId)).find(({ id }) => id === sessionId);
    const { id, name } = player;
    return { id, name, picture: pictureOf(player, this.env.publicOrigin), token: token ? toRest(token) : null };
  }
}

const toRest = ({ name, scopes, expiresAt }: ListedToken) => ({ name, scopes, expires_at: expiresAt });
