import { z } from 'zod';

/** A setting that is a whole number in these bounds. */
export const wholeNumber = <Fallback extends number | undefined>(
  name: string,
  fallback: Fallback,
  min: number,
  max: number,
) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `${name} must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `${name} must be a whole number from ${min} to ${max}`)
    .optional()
    .transform((value) => value ?? fallback);
