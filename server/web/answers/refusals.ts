import { HttpException } from '@nestjs/common';
import { Field, InterfaceType } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { UNAVAILABLE } from '../../database/errors.js';
import { BODY_LIMIT } from '../../limits/node.js';

/** A refusal as clients see it. */
interface Form {
  readonly status: number;
  /** For people, and what /openapi.json says of the code. One that only the page or an enum of the schema has needs none. */
  readonly sentence?: string;
  /** The code in the `errors` of GraphQL, where it is another word than here. */
  readonly graphql?: string;
}

/** The statuses that the audit trail records. */
export const AUDITED: ReadonlySet<number> = new Set([401, 403, 429]);

interface More {
  /** In how many seconds the same request may succeed, where that is known. */
  readonly retryAfter?: number;
  /** The methods of the address. */
  readonly allow?: readonly string[];
  /** Who has played with an identity. */
  readonly owner?: { readonly name: string; readonly games: number; readonly isOnlyOne: boolean };
  /** The next request costs the client a new connection. */
  readonly closes?: boolean;
  /** The player behind it, for the log alone. */
  readonly playerId?: string;
  /** A browser that navigates goes to this path of the page, which says what has failed. */
  readonly toPage?: (request: FastifyRequest) => string;
}

/** The codes of all folders: /openapi.json, or the schema, says what they mean. */
export const FORMS = new Map<string, Form>();

/** Adds the refusals of a folder. A program may rely on a code, and a sentence may change. @returns makes one */
export function refusals<Code extends string>(forms: Readonly<Record<Code, Form>>) {
  for (const [code, form] of Object.entries<Form>(forms)) {
    if (FORMS.has(code)) throw new Error(`Two folders have the code ${code}`);
    FORMS.set(code, form);
  }
  return (code: Code, sentence?: string, more?: More) => new Refusal(code as string as GeneralCode, sentence, more);
}

/** The codes of a folder, by what makes its refusals. */
export type CodeOf<Make extends (code: never) => Refusal> = Parameters<Make>[0];

/** The first one of each status is also that of the framework's exceptions. */
const GENERAL = {
  // Apollo's own code for wrong input.
  bad_request: {
    status: 400,
    graphql: 'BAD_USER_INPUT',
    sentence: 'The request cannot be read: the body must be a JSON object.',
  },
  token_in_address: {
    status: 400,
    sentence:
      'There is a token in the address, where others may have read it. Revoke it. Send tokens in the header Authorization.',
  },
  unauthenticated: {
    status: 401,
    sentence: 'The header Authorization must be the word Bearer, a space and a token that is valid.',
  },
  forbidden: { status: 403, sentence: 'Only a browser at the game’s own page may do this.' },
  not_found: { status: 404, sentence: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, sentence: 'The header Allow names the methods of this address.' },
  payload_too_large: { status: 413, sentence: `The body is too large: the limit is ${BODY_LIMIT} bytes.` },
  unsupported_media_type: { status: 415, sentence: 'Send JSON with the header Content-Type: application/json.' },
  too_many_requests: { status: 429, sentence: 'The address or the token has spent its allowance.' },
  too_many_headers: { status: 431, sentence: 'This request has too many headers. Send fewer.' },
  header_too_long: {
    status: 431,
    sentence: 'A header of this request is too long. Clear the cookies of this site, or send less.',
  },
  // The connection is closed, so only the log has it.
  client_left: { status: 499, sentence: 'The client has left.' },
  unexpected: { status: 500, sentence: 'Something went wrong on our side.' },
  service_unavailable: { status: 503, sentence: UNAVAILABLE },
  stopping: { status: 503, sentence: 'The server is about to stop.' },
  database_unreachable: { status: 503, sentence: 'The database cannot be reached.' },
  database_read_only: { status: 503, sentence: 'The database accepts no writes.' },
  database_disk_full: { status: 503, sentence: 'The disk of the database is full.' },
  database_out_of_memory: { status: 503, sentence: 'The database has no memory left.' },
  database_connections_used: { status: 503, sentence: 'The database has no connection left for this server.' },
} satisfies Record<string, Form>;
refusals(GENERAL);

type GeneralCode = keyof typeof GENERAL;

/** What the server refuses a client, or cannot do for it. The codes of a folder come from what `refusals` returns. */
export class Refusal extends HttpException {
  readonly code: string;

  constructor(
    code: GeneralCode,
    sentence = FORMS.get(code)!.sentence,
    readonly more: More = {},
  ) {
    super(sentence ?? code, FORMS.get(code)!.status);
    this.code = code;
  }
}

/** For an error that nobody expected: the id finds it in the log. */
export const unexpectedSentence = (id: string) =>
  `Something went wrong on our side. If this keeps happening, please quote this id: ${id}`;

/**
 * An expected error. An exception of the framework has a status alone, and its own sentence does not say what to do, or repeats an
 * unknown address.
 */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof HttpException) || error.getStatus() >= 500) return undefined;
  const general = Object.entries<Form>(GENERAL).find(([, { status }]) => status === error.getStatus());
  return new Refusal((general?.[0] ?? 'bad_request') as GeneralCode);
}

export const graphqlCodeOf = ({ code }: Refusal): string => FORMS.get(code)?.graphql ?? code.toUpperCase();

/** The status of a code in the `errors` of GraphQL; undefined for one of GraphQL alone. */
export const statusOf = (graphqlCode: string): number | undefined => FORMS.get(graphqlCode.toLowerCase())?.status;

@InterfaceType('Refusal', { description: 'The server refuses something. The type and its `reason` are for programs.' })
export abstract class RefusalType {
  @Field({ description: 'The reason, for people.' })
  message!: string;
}

/** @param of whose allowance it is, such as "from this address" */
export function allowanceSpent(of: string, retryAfter: number, more: More = {}): Refusal {
  const later = retryAfter === 1 ? 'a second' : `${retryAfter} seconds`;
  return new Refusal('too_many_requests', `Too many requests ${of}. Try again in ${later}.`, { ...more, retryAfter });
}
