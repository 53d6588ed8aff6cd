import { Controller, Get, Header } from '@nestjs/common';
import type { JSONWebKeySet } from 'jose';
import { AccessTokens } from './access-tokens.service.js';

/** The public keys of our access tokens (RFC 7517). */
@Controller('.well-known/jwks.json')
export class JwksController {
  constructor(private readonly accessTokens: AccessTokens) {}

  @Get()
  @Header('Cache-Control', 'public, max-age=300')
  keys(): Promise<JSONWebKeySet> {
    return this.accessTokens.publicKeys();
  }
}
