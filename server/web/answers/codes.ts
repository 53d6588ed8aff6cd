import { HttpException } from '@nestjs/common';

/**
 * The codes of all errors with their status: docs/api.md says what they mean. The list is closed: a program may rely on a
 * code, and a sentence may change. The first code of a status is the general one.
 */
export const CODES = {
  bad_request: 400,
  token_in_address: 400,
  sign_in_expired: 400,
  unauthenticated: 401,
  no_session: 401,
  token_unknown: 401,
  token_ended: 401,
  token_revoked: 401,
  player_banned: 401,
  forbidden: 403,
  insufficient_scope: 403,
  token_not_accepted: 403,
  recent_sign_in_required: 403,
  not_a_moderator: 403,
  last_identity: 403,
  other_player: 403,
  reports_rejected: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_many_tokens: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  key_of_another_request: 422,
  voided: 422,
  too_many_requests: 429,
  too_many_games: 429,
  too_many_sign_ins: 429,
  export_under_way: 429,
  too_many_exports: 429,
  client_left: 499,
  unexpected: 500,
  service_unavailable: 503,
  stopping: 503,
  database_unreachable: 503,
  database_read_only: 503,
} as const satisfies Record<string, number>;

export type Code = keyof typeof CODES;

/** The statuses that the audit trail records. */
export const AUDITED: ReadonlySet<number> = new Set([401, 403, 429]);

/** A refusal with its own code. Another exception gets the general code of its status. */
export class CodedException extends HttpException {
  /** @param retryAfter in how many seconds the same request may succeed, where that is known */
  constructor(
    readonly code: Code,
    sentence: string,
    readonly retryAfter?: number,
  ) {
    super(sentence, CODES[code]);
  }
}

/** The exception's own code, or the general one of its status. */
export function codeOf(exception: HttpException): Code {
  if (exception instanceof CodedException) return exception.code;
  const codes = Object.keys(CODES) as Code[];
  return codes.find((code) => CODES[code] === exception.getStatus()) ?? 'bad_request';
}
