import { Controller, Get, Req, UnauthorizedException, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SCOPES } from '../auth/sessions/scopes.js';
import { RestOperation, time } from '../web/rest/operation.js';
import { Env } from '../settings/env.js';
import { DatabaseTurns } from '../web/requests/database-turns.js';
import { pictureOf } from '../auth/players/picture.js';
import { PlayersService } from '../auth/players/players.service.js';
import { type ListedToken, PersonalTokensService } from '../auth/sessions/personal-tokens.service.js';
import { NeedsScope, SignedInGuard } from '../auth/sessions/signed-in.guard.js';
import { SignedIn, type SignedInPlayer } from '../auth/sessions/signed-in.js';

/** Whose token it is. */
const restMe = z
  .object({
    id: z.uuid(),
    name: z.string(),
    picture: z.url(),
    token: z
      .object({ name: z.string(), scopes: z.array(z.enum(SCOPES)).readonly(), expires_at: time.nullable() })
      .nullable()
      .describe('Null for the access token of a browser, which may do everything.'),
  })
  .meta({
    id: 'Me',
    examples: [
      {
        ...{ id: '5f0f8f0a-3c1b-4f62-9a51-0d9f6b1c2e3d', name: 'Ada', picture: 'https://example.org/ada.svg' },
        token: { name: 'My bot', scopes: ['games:write'], expires_at: null },
      },
    ],
  });
type RestMe = z.infer<typeof restMe>;

const ME = { id: 'readMe', tag: 'Account', summary: 'Read whose token it is', answer: restMe } as const;

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
  @RestOperation(ME)
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
