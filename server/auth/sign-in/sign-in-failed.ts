import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { Env } from '../../env.js';
import { ProviderUnavailable } from './providers/provider-fetch.js';

/** Why a sign-in came to nothing, in words that the page turns into a sentence. */
export type SignInFailure =
  | 'access_denied'
  | 'sign_in_expired'
  | 'too_many_sign_ins'
  | 'provider_unavailable'
  | 'provider_not_set_up'
  | 'sign_in_failed';

export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';

  constructor(readonly failure: SignInFailure) {
    super(failure);
  }
}

/** A failed sign-in ends on the page, which shows a sentence; never on an error of the server. */
@Catch(SignInFailed)
export class SignInFailedFilter implements ExceptionFilter<SignInFailed> {
  constructor(private readonly env: Env) {}

  catch({ failure }: SignInFailed, host: ArgumentsHost): void {
    host
      .switchToHttp()
      .getResponse<Response>()
      .redirect(302, `${this.env.publicOrigin}/auth/callback?error=${failure}`);
  }
}

// What `openid-client` says when the answer is not what the protocol wants: the provider's trouble, not the player's.
const UNUSABLE_ANSWERS = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
]);

/** Which failure an error of `openid-client` or of our own is. */
export function failureOf(error: unknown): SignInFailure {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    if (cause instanceof SignInFailed) return cause.failure;
    if (cause instanceof ProviderUnavailable) return 'provider_unavailable';
    if (cause instanceof AuthorizationResponseError) return authorizationFailure(cause.error);
    if (UNUSABLE_ANSWERS.has((cause as NodeJS.ErrnoException).code ?? '')) return 'provider_unavailable';
  }
  return 'sign_in_failed';
}

function authorizationFailure(error: string): SignInFailure {
  if (error === 'access_denied') return 'access_denied';
  return error === 'server_error' || error === 'temporarily_unavailable' ? 'provider_unavailable' : 'sign_in_failed';
}

/** A word for the log. What a provider wrote is shown only where it is such a word too. */
export function reasonOf(error: unknown): string {
  const said =
    error instanceof AuthorizationResponseError || error instanceof ResponseBodyError
      ? error.error
      : (error as NodeJS.ErrnoException | undefined)?.code;
  if (said && /^\w{1,60}$/.test(said)) return said;
  return error instanceof Error ? error.name : 'unknown';
}
