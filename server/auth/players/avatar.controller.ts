import { Controller, Get, Header, Param } from '@nestjs/common';
import { toSvg } from 'jdenticon';
import { isUuid } from '../../base/uuid.js';
import { Refusal } from '../../web/answers/refusals.js';

const SIZE = 128;

/** The generated picture of a player. It depends on the id alone, so it needs no query and never changes. */
@Controller('avatar')
export class AvatarController {
  @Get(':playerId.svg')
  @Header('Content-Type', 'image/svg+xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=31536000, immutable')
  @Header('Content-Security-Policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
  @Header('X-Content-Type-Options', 'nosniff')
  // Other sites may show the public leaderboard with its pictures.
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  avatar(@Param('playerId') playerId: string): string {
    if (!isUuid(playerId)) throw new Refusal('not_found');
    return toSvg(playerId.toLowerCase(), SIZE);
  }
}
