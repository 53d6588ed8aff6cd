import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MAX_LIMIT } from '../base/most-entries.js';
import { LARGE_BODY } from '../limits/node.js';
import type { CostlyWork } from '../limits/turns.js';
import { Refusal } from './answers/refusals.js';

/** Stands for a body of another type, as `curl -d` sends it, which stays unread: a guard may have another reason to refuse it. */
export const NOT_JSON = Symbol('not JSON');

const OTHER_CHARSET = /;\s*charset\s*=(?!\s*(utf-?8|"utf-?8")\s*(;|$))/i;

const isPlainUtf8 = ({ 'content-type': type = '', 'content-encoding': encoding = '' }: FastifyRequest['headers']) =>
  !OTHER_CHARSET.test(type) && /^(identity)?$/i.test(encoding);

/**
 * Fastify's parser for JSON. To parse a large body is costly work, because its value can have 5,000 objects. A body is an object or a list, and an empty one is an empty object. `__proto__` is an unknown field like any other.
 */
export function readBodies(fastify: FastifyInstance, costly: CostlyWork): void {
  // Without a byte order mark, which is no part of the text.
  const decoder = new TextDecoder();
  const parseJson = fastify.getDefaultJsonParser('ignore', 'ignore');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    // Nothing is at this address, whatever the body.
    if (request.is404 || request.routeOptions.config.allow) return done(null);
    if (!isPlainUtf8(request.headers) || !isUtf8(bytes))
      return done(new Refusal('unsupported_media_type', 'The body must be JSON in UTF-8 without compression.'));
    const check = (error: Error | null, value: unknown) =>
      done(error ?? (typeof value === 'object' && value ? null : new Refusal('bad_request')), value);
    const parse = () => void parseJson(request, decoder.decode(bytes) || '{}', check);
    if (bytes.length < LARGE_BODY) parse();
    else costly.begin(request.context.address, request.context.response!, parse);
  });
  fastify.addContentTypeParser('*', ({ headers }, _bytes, done) => {
    const isEmpty = headers['transfer-encoding'] === undefined && !Number(headers['content-length'] ?? 0);
    done(null, isEmpty ? undefined : NOT_JSON);
  });
  // No route takes QUERY. Without this, Fastify answers 415 to it before 405.
  fastify.addHttpMethod('QUERY', { overrideExisting: true });
}

const LIST = new Intl.ListFormat('en-GB');

/** @throws {Refusal} with a sentence that names every wrong field */
export function parseInput<T>(shape: z.ZodType<T>, input: unknown): T {
  if (input === NOT_JSON) throw new Refusal('unsupported_media_type');
  const result = shape.safeParse(input);
  if (result.success) return result.data;
  throw new Refusal('bad_request', result.error.issues.map((issue) => sentenceOf(issue, shape)).join('; ') + '.');
}

function sentenceOf(issue: z.core.$ZodIssue, shape: z.ZodType): string {
  if (issue.code === 'unrecognized_keys' && shape instanceof z.ZodObject) {
    return `Unknown: ${issue.keys.join(', ')}. The fields are: ${Object.keys(shape.shape).join(', ')}`;
  }
  if (issue.code === 'invalid_type' && issue.path.length === 0 && shape instanceof z.ZodObject) {
    return `The body must be a JSON object with ${LIST.format(Object.keys(shape.shape))}`;
  }
  const field = issue.path.join('.');
  return !field || issue.message.toLowerCase().startsWith(String(issue.path[0]).toLowerCase())
    ? issue.message
    : `${field}: ${issue.message}`;
}

export const DEFAULT_LIMIT = 10;

export function numberBetween(name: string, least: number, most: number) {
  const error = `${name} must be a whole number from ${least} to ${most}`;
  return z.int(error).min(least, error).max(most, error);
}

export const limit = numberBetween('limit', 1, MAX_LIMIT);

/** The same limit in a query string. Unknown keys are ignored. */
export const limitQuery = z.object({
  limit: z.preprocess((text) => (/^\d{1,3}$/.test(String(text)) ? Number(text) : text), limit).default(DEFAULT_LIMIT),
});

/** No controls, line ends and blank letters, no heap of marks, and at least one character that stands by itself. */
const VISIBLE = /^(?!.*\p{M}{6})(?=.*[\p{L}\p{N}\p{P}\p{S}])[^\p{C}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]+$/u;

/** One line that people read beside others. */
export function visibleText(name: string, most: number) {
  const error = `${name} must be 1 to ${most} characters, all of them visible`;
  return z
    .string(error)
    .trim()
    .refine((text) => [...text].length <= most && VISIBLE.test(text), error);
}
