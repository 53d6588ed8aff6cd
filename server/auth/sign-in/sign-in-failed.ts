import type { FastifyRequest } from 'fastify';
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client';
import { Observed } from '../../base/events.js';
import { type CodeOf, Refusal } from '../../web/answers/refusals.js';
import { CALLBACK_PATH } from '../../web/page/page.js';
import { Unavailable } from '../../base/errors.js';
import type { ProviderName } from '../players/profile.js';
import { signInRefusal } from './refusals.js';
import type { PendingSignIn } from './sign-in-cookies.js';

type SignInFailure = CodeOf<typeof signInRefusal>;

/** A sign-in that has come back from its provider, or has failed. */
export interface SignInEnded {
  readonly provider: string;
  readonly outcome: string;
  /** Whether an endpoint of the provider failed or refused this server. */
  readonly atProvider?: boolean;
}

export const signInsEnded = new Observed<SignInEnded>();

/** A callback, with its sign-in as soon as the cookie is open. */
export type SignInRequest = FastifyRequest & { signIn?: PendingSignIn };

/** The refusal of a sign-in, which leads the browser to the page. */
export const signInFailed = (code: SignInFailure, atProvider = false) =>
  signInRefusal(code, undefined, { toPage: (request) => endSignIn(request, code, atProvider) });

/** Tells that a sign-in has failed. @returns the path of the page, which shows why */
export function endSignIn(request: SignInRequest, code: string, atProvider = false): string {
  signInsEnded.publish({ provider: providerOf(request), outcome: code, atProvider });
  const { signIn } = request;
  return signIn?.link ? `${signIn.returnTo}&link_error=${code}` : `${CALLBACK_PATH}?error=${code}`;
}

/** The provider of a route, such as `/auth/google/link`. The address may have capital letters. */
export const providerOf = ({ routeOptions }: FastifyRequest) => routeOptions.url!.split('/')[2] as ProviderName;

// `openid-client` reports these when the provider breaks the protocol, which is no fault of the player.
const UNUSABLE_ANSWERS = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
]);

/** The provider refuses a code that a browser has made up or sent twice. */
const REFUSED_CODES = new Set(['invalid_grant', 'bad_verification_code']);

export function failureOf(error: unknown): Refusal {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    if (cause instanceof Refusal) return cause;
    if (cause instanceof Unavailable) return signInFailed('provider_unavailable', true);
    // The browser has brought it, so anybody can write it.
    if (cause instanceof AuthorizationResponseError) return signInFailed(authorizationFailure(cause.error));
    if (cause instanceof ResponseBodyError) return signInFailed('sign_in_failed', !REFUSED_CODES.has(cause.error));
    if (UNUSABLE_ANSWERS.has((cause as NodeJS.ErrnoException).code ?? '')) {
      return signInFailed('provider_unavailable', true);
    }
  }
  return signInFailed('sign_in_failed');
}

function authorizationFailure(error: string): SignInFailure {
  if (error === 'access_denied') return 'access_denied';
  return error === 'server_error' || error === 'temporarily_unavailable' ? 'provider_unavailable' : 'sign_in_failed';
}

/** A word for the log. A provider's own text passes only if it is a single word. */
export function reasonOf(error: unknown): string {
  const said =
    error instanceof AuthorizationResponseError || error instanceof ResponseBodyError
      ? error.error
      : (error as NodeJS.ErrnoException | undefined)?.code;
  if (said && /^\w{1,60}$/.test(said)) return said;
  return error instanceof Error ? error.name : 'unknown';
}
