import { BadRequestException } from '@nestjs/common';
import type { z } from 'zod';

/**
 * Parses input from outside.
 * @throws {BadRequestException} with a message that names every wrong field
 */
export function parseInput<T>(shape: z.ZodType<T>, input: unknown): T {
  const result = shape.safeParse(input);
  if (result.success) return result.data;
  throw new BadRequestException(
    result.error.issues
      .map(({ path, message }) => {
        const field = path.join('.');
        return !field || message.startsWith(field) ? message : `${field}: ${message}`;
      })
      .join('; '),
  );
}
