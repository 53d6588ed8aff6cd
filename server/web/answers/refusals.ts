import { HttpException } from '@nestjs/common';
import { Field, InterfaceType } from '@nestjs/graphql';

/** A refusal as clients see it. */
interface Form {
  readonly status: number;
  /** For people. Without it, the place that refuses says more than the table could. */
  readonly sentence?: string;
  /** The code in the `errors` of GraphQL, where it is another word than here. */
  readonly graphql?: string;
}

/** Why a sign-in fails. The browser goes to the page with the code, and the page has the sentence. */
export const SIGN_IN_FAILURES = {
  access_denied: { status: 403 },
  account_banned: { status: 403 },
  sign_in_expired: { status: 400, sentence: 'This sign-in has expired. Try again.' },
  too_many_sign_ins: { status: 429 },
  provider_unavailable: { status: 503 },
  sign_in_failed: { status: 400 },
} as const satisfies Record<string, Form>;

/**
 * The codes of all refusals: docs/api.md, or the schema, says what they mean. The list is closed: a program may rely on a code,
 * and a sentence may change.
 */
const REFUSALS = {
  // The first one of each status is also that of the framework's exceptions.
  // Apollo's own code for wrong input.
  bad_request: { status: 400, graphql: 'BAD_USER_INPUT' },
  token_in_address: {
    status: 400,
    sentence:
      'There is a token in the address, where others may have read it. Revoke it. Send tokens in the header Authorization.',
  },
  unauthenticated: { status: 401 },
  no_session: { status: 401, sentence: 'No session found.' },
  account_deleted: { status: 401, sentence: 'The account of this browser is deleted.' },
  token_unknown: { status: 401, sentence: 'This is not a token of this server. Check that it is complete.' },
  token_ended: { status: 401 },
  token_revoked: { status: 401, sentence: 'This token was revoked. Make a new one at /playground.' },
  player_banned: { status: 401, sentence: 'The player of this token is banned.' },
  forbidden: { status: 403 },
  insufficient_scope: { status: 403 },
  token_not_accepted: { status: 403, sentence: 'No personal token may do this. It needs a sign-in in the browser.' },
  recent_sign_in_required: {
    status: 403,
    sentence: 'This needs a sign-in from the last ten minutes. Sign in again, then repeat it.',
  },
  not_a_moderator: { status: 403, sentence: 'Only a moderator may do this.' },
  last_identity: { status: 403, sentence: 'This is your only sign-in method. Link another one first.' },
  other_player: {
    status: 403,
    sentence: 'userId must be the id of the signed-in player: this one belongs to somebody else.',
  },
  reports_rejected: {
    status: 403,
    sentence: 'This server counts only verified games: play with the GraphQL mutations startGame and finishGame.',
  },
  not_found: { status: 404, sentence: 'There is nothing at this address.' },
  method_not_allowed: { status: 405 },
  too_many_tokens: { status: 409 },
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  key_of_another_request: {
    status: 422,
    sentence: 'This Idempotency-Key was already used for another result: use a new key.',
  },
  voided: { status: 422, sentence: 'The game of this Idempotency-Key was voided: it does not count.' },
  too_many_requests: { status: 429 },
  too_many_games: {
    status: 429,
    sentence: 'You have finished too many games within one minute. Send this result again in a minute.',
  },
  too_many_games_today: { status: 429 },
  export_under_way: {
    status: 429,
    sentence: 'Your data is being downloaded already. Try again when that download has ended.',
  },
  too_many_exports: {
    status: 429,
    sentence: 'Several players are downloading their data at the moment. Try again in a minute.',
  },
  too_many_headers: { status: 431, sentence: 'This request has too many headers. Send fewer.' },
  header_too_long: {
    status: 431,
    sentence: 'A header of this request is too long. Clear the cookies of this site, or send less.',
  },
  // The connection is closed, so only the log has it.
  client_left: { status: 499, sentence: 'The client has left.' },
  unexpected: { status: 500 },
  service_unavailable: { status: 503 },
  stopping: { status: 503, sentence: 'The server is about to stop.' },
  database_unreachable: { status: 503, sentence: 'The database cannot be reached.' },
  database_read_only: { status: 503, sentence: 'The database accepts no writes.' },
  database_disk_full: { status: 503, sentence: 'The disk of the database is full.' },
  database_out_of_memory: { status: 503, sentence: 'The database has no memory left.' },
  database_connections_used: { status: 503, sentence: 'The database has no connection left for this server.' },
  ...SIGN_IN_FAILURES,
  link_expired: { status: 409 },
  already_linked: { status: 409 },
  provider_linked: { status: 409 },
  has_own_player: { status: 409, sentence: 'This sign-in method has its own player here.' },
  identity_changed: { status: 409 },
  account_not_linkable: { status: 409 },
  game_unknown: { status: 404 },
  name_not_visible: { status: 400 },
  name_decided: { status: 403, sentence: 'A moderator has set your name: you cannot change it.' },
  too_many_names: { status: 429, sentence: 'You have changed your name three times today. Try again tomorrow.' },
  player_is_moderator: { status: 403 },
  player_unknown: { status: 404 },
} as const satisfies Record<string, Form>;

export type Code = keyof typeof REFUSALS;

const FORMS: Readonly<Record<string, Form>> = REFUSALS;
const CODES = Object.keys(REFUSALS) as Code[];

/** The statuses that the audit trail records. */
export const AUDITED: ReadonlySet<number> = new Set([401, 403, 429]);

interface More {
  /** In how many seconds the same request may succeed, where that is known. */
  readonly retryAfter?: number;
  /** The methods of the address. */
  readonly allow?: readonly string[];
  /** Who has played with an identity. */
  readonly owner?: { readonly name: string; readonly games: number; readonly isOnlyOne: boolean };
  /** The player behind it, for the log alone. */
  readonly playerId?: string;
  /** A sign-in has failed: the browser goes to the page, which says so. */
  readonly toPage?: boolean;
  /** Whether an endpoint of the provider failed, which no browser can cause. */
  readonly atProvider?: boolean;
}

/** What the server refuses a client, or cannot do for it. */
export class Refusal extends HttpException {
  constructor(
    readonly code: Code,
    sentence = FORMS[code]!.sentence ?? code,
    readonly more: More = {},
  ) {
    super(sentence, REFUSALS[code].status);
  }
}

/** For an error that nobody expected: the id finds it in the log. */
export const unexpectedSentence = (id: string) =>
  `Something went wrong on our side. If this keeps happening, please quote this id: ${id}`;

/** An exception of the framework has a status alone: its code is the first one of the table with this status. */
export const codeOf = (exception: HttpException): Code =>
  exception instanceof Refusal
    ? exception.code
    : (CODES.find((code) => REFUSALS[code].status === exception.getStatus()) ?? 'bad_request');

/** The framework's own sentence about an unknown address repeats it. */
export const sentenceOf = (exception: HttpException): string =>
  exception instanceof Refusal || exception.getStatus() !== 404 ? exception.message : REFUSALS.not_found.sentence;

export const graphqlCodeOf = (code: Code): string => FORMS[code]!.graphql ?? code.toUpperCase();

/** The status of a code in the `errors` of GraphQL; undefined for one of GraphQL alone. */
export const statusOf = (graphqlCode: string): number | undefined => FORMS[graphqlCode.toLowerCase()]?.status;

@InterfaceType('Refusal', { description: 'The server refuses something. The type and its `reason` are for programs.' })
export abstract class RefusalType {
  @Field({ description: 'The reason, for people.' })
  message!: string;
}

/** @param of whose allowance it is, such as "from this address" */
export function allowanceSpent(of: string, seconds: number): Refusal {
  const later = seconds === 1 ? 'a second' : `${seconds} seconds`;
  return new Refusal('too_many_requests', `Too many requests ${of}. Try again in ${later}.`, { retryAfter: seconds });
}
