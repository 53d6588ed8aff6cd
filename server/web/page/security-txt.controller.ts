import { Controller, Get, Header } from '@nestjs/common';
import { Clock, DAY } from '../../base/clock.js';
import { Env } from '../../settings/env.js';
import { Refusal } from '../answers/refusals.js';

/** RFC 9116 asks for less than a year. Each request extends it. */
const VALID_DAYS = 180;

/** The contact for security reports: https://www.rfc-editor.org/rfc/rfc9116 */
@Controller('.well-known/security.txt')
export class SecurityTxtController {
  constructor(
    private readonly env: Env,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=86400')
  contact(): string {
    const { securityContact, publicOrigin } = this.env;
    if (!securityContact) throw new Refusal('not_found');
    const expires = new Date(this.clock.now().getTime() + VALID_DAYS * DAY);
    return `Contact: ${securityContact}
Expires: ${expires.toISOString()}
Canonical: ${publicOrigin}/.well-known/security.txt
Preferred-Languages: en
`;
  }
}
