import { BadRequestException } from '@nestjs/common';
import { z } from 'zod';

const LIST = new Intl.ListFormat('en-GB');

/**
 * Parses input from outside.
 * @throws {BadRequestException} with a message that names every wrong field
 */
export function parseInput<T>(shape: z.ZodType<T>, input: unknown): T {
  const result = shape.safeParse(input);
  if (result.success) return result.data;
  throw new BadRequestException(result.error.issues.map((issue) => sentenceOf(issue, shape)).join('; '));
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
