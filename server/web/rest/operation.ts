import { applyDecorators, Header, HttpCode } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { z } from 'zod';
import type { Code } from '../answers/codes.js';

/** The parts of the API. */
export const TAGS = {
  Games: 'Verified games: a ticket, the bot’s moves, the count.',
  Players: 'Players with their stats and games.',
  Leaderboard: 'The best players, in pages or around one of them.',
  Challenge: 'The daily challenge. Programs may read it.',
  Account: 'Whose token it is, and all data of the account.',
  Server: 'For supervisors and proxies.',
} as const;

/** The description of a REST route. The handler parses with its shapes, and `openapi.json` shows them. */
export interface Operation {
  /** The name that generated clients give it. */
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description?: string;
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  /** Its own refusals, beside those of every route like it. */
  readonly refusals?: readonly Code[];
  /** Whether the answer has a tag, so that a client may ask whether its own is still the newest. */
  readonly isTagged?: boolean;
}

/** The operation of a handler. */
export const DescribedAs = Reflector.createDecorator<Operation>();

/** Describes a handler that answers 200. An answer is for its reader alone, or a cache asks with its tag before each use. */
export const RestOperation = (operation: Operation) =>
  applyDecorators(
    DescribedAs(operation),
    HttpCode(200),
    Header('Cache-Control', operation.isTagged ? 'no-cache' : 'no-store'),
  );

/** The client's name for a request, so that a repetition does nothing twice. */
export const keyHeader = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'Idempotency-Key must be 1 to 255 visible ASCII characters without a space')
    .optional(),
});

/** A time, which JSON has as text. */
export const time = z.date();
