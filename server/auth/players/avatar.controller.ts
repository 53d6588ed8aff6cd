import { Controller, Get, Header, NotFoundException, Param } from '@nestjs/common';
import { toSvg } from 'jdenticon';
import { isUuid } from '../../uuid.js';

const SIZE = 128;

/** The picture of whoever has none. It follows from the id alone: no query, and a browser may keep it for good. */
@Controller('avatar')
export class AvatarController {
  @Get(':playerId.svg')
  @Header('Content-Type', 'image/svg+xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=31536000, immutable')
  @Header('Content-Security-Policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
  @Header('X-Content-Type-Options', 'nosniff')
  // Whoever shows the public leaderboard may show its pictures.
  @Header('Cross-Origin-Resource-Policy', 'cross-origin')
  avatar(@Param('playerId') playerId: string): string {
    if (!isUuid(playerId)) throw new NotFoundException();
    return toSvg(playerId.toLowerCase(), SIZE);
  }
}
