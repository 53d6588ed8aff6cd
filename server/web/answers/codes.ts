import { HttpException } from '@nestjs/common';

/**
 * The codes of all errors outside GraphQL, with their status and their meaning in the docs. The list is closed: a program
 * may rely on a code, and a sentence may change. The first code of a status is the general one.
 */
export const CODES = {
  bad_request: [400, 'A parameter, a header or a field of the body is missing or wrong. The sentence names it.'],
  token_in_address: [400, 'A token is in the address, where others may have read it. Revoke it.'],
  account_too_large: [400, 'The account is too large for GraphQL. Use GET /api/account/export.'],
  sign_in_expired: [400, 'The code of a sign-in is spent or too old. The page begins a new one.'],
  unauthenticated: [401, 'The request has no token, or not the word Bearer before it, or an old access token.'],
  no_session: [401, 'The browser has no session. Only the page meets this.'],
  token_unknown: [401, 'The token is not of this server, or is not complete.'],
  token_ended: [401, 'The token is past its end. Make a new one in the account.'],
  token_revoked: [401, 'The player has revoked the token. Make a new one in the account.'],
  player_banned: [401, 'The player of the token is banned.'],
  forbidden: [403, 'Only a browser at the game’s own page may do this.'],
  insufficient_scope: [403, 'The token lacks the scope that the sentence names. Make one that has it.'],
  token_not_accepted: [403, 'No personal token may do this. It needs a sign-in in the browser.'],
  recent_sign_in_required: [403, 'This needs a sign-in from the last ten minutes.'],
  not_a_moderator: [403, 'Only a moderator may do this.'],
  last_identity: [403, 'The only sign-in method cannot be removed.'],
  other_player: [403, 'The userId is another player’s. Ask for your own.'],
  reports_rejected: [403, 'This server counts verified games only. Play with POST /api/games.'],
  not_found: [404, 'Nothing is at this address, or no such player or game is there for others to see.'],
  method_not_allowed: [405, 'The address exists for other methods. The header Allow names them.'],
  too_many_tokens: [409, 'A player has 20 tokens at most, and makes 100 in a day at most.'],
  payload_too_large: [413, 'The body is over 16,384 bytes.'],
  unsupported_media_type: [415, 'The body is not JSON in UTF-8. Send Content-Type: application/json.'],
  range_not_satisfiable: [416, 'The file has no such range of bytes.'],
  key_of_another_request: [422, 'The Idempotency-Key was used for another request. Use a new key.'],
  ticket_invalid: [422, 'This server did not issue the ticket for this game. Start a new game.'],
  ticket_expired: [422, 'The ticket is too old. Start a new game.'],
  ticket_of_another_player: [422, 'The ticket belongs to another player. Start a new game.'],
  already_counted: [422, 'The ticket was used for a game with other moves. Start a new game.'],
  voided: [422, 'An operator has voided the game. It does not count.'],
  illegal_move: [422, 'A square is taken, or the game was over before it.'],
  game_unfinished: [422, 'The game is not at its end. Play on.'],
  too_many_requests: [429, 'The address or the token has spent its allowance. Wait for Retry-After.'],
  too_fast: [429, 'The game ended faster than the bot can move. Wait for Retry-After and send it again.'],
  too_many_games: [429, 'The player has too many games in one minute. Wait for Retry-After and send it again.'],
  too_many_games_today: [429, 'The player has the most games that count on one day. Send it again after midnight UTC.'],
  too_many_sign_ins: [429, 'Too many sign-ins from this address. Wait for Retry-After.'],
  export_under_way: [429, 'The player’s data is being downloaded already.'],
  too_many_exports: [429, 'Several players are downloading their data. Try again in a minute.'],
  client_left: [499, 'The client has closed the connection. Nobody reads this.'],
  unexpected: [500, 'A fault of the server. The sentence has an id for its operator.'],
  service_unavailable: [503, 'The database cannot be used at the moment. Wait for Retry-After and send it again.'],
  stopping: [503, 'The server is about to stop. Only health checks meet this.'],
  database_unreachable: [503, 'The database cannot be reached. Only health checks meet this.'],
  database_read_only: [503, 'The database accepts no writes. Only health checks meet this.'],
} as const satisfies Record<string, readonly [status: number, meaning: string]>;

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
    super(sentence, CODES[code][0]);
  }
}

/** The body of every error outside GraphQL. The members are those of RFC 9457, beside `error`, which is the contract's. */
export interface Problem {
  /** What went wrong and what to do, for people. */
  readonly error: string;
  readonly code: Code;
  readonly status: number;
  /** Where the docs explain the code. */
  readonly type: string;
}

export function problemOf(publicOrigin: string, exception: HttpException): Problem {
  const code = codeOf(exception);
  const status = exception.getStatus();
  const isCoded = exception instanceof CodedException;
  // The framework's own sentence repeats the address.
  const error = status === 404 && !isCoded ? 'There is nothing at this address.' : exception.message;
  return { error, code, status, type: `${publicOrigin}/docs#${code}` };
}

/** The exception's own code, or the general one of its status. */
export function codeOf(exception: HttpException): Code {
  if (exception instanceof CodedException) return exception.code;
  const codes = Object.keys(CODES) as Code[];
  return codes.find((code) => CODES[code][0] === exception.getStatus()) ?? 'bad_request';
}
