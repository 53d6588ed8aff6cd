import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { requestOf } from '../auth/sessions/signed-in.js';
import { CodedException } from '../web/answers/codes.js';
import { Moderators } from './moderators.service.js';

/** Admits moderators. Use it after `SignedInGuard`. */
@Injectable()
export class ModeratorGuard implements CanActivate {
  constructor(private readonly moderators: Moderators) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { signedIn } = requestOf(context);
    if (signedIn && (await this.moderators.includes(signedIn.playerId))) return true;
    throw new CodedException('not_a_moderator', 'Only a moderator may do this.');
  }
}
