import { z } from 'zod';
import { MAX_LIMIT } from '../base/most-entries.js';
import { Refusal } from './answers/refusals.js';
import { NOT_JSON } from './body.js';

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
