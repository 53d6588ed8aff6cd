/** Whether an answer, or the error that Apollo created from it, contains an error with this code. */
export function hasCode(answer: unknown, code: string): boolean {
  const { errors } = answer as { errors?: readonly { extensions?: { code?: unknown } }[] };
  return errors?.some(({ extensions }) => extensions?.code === code) ?? false;
}
