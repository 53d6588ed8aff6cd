import { z } from 'zod';

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
