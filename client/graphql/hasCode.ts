/** Whether an answer of the server, or the problem that Apollo has made of it, holds an error of this code. */
export function hasCode(answer: unknown, code: string): boolean {
  const { errors } = answer as { errors?: readonly { extensions?: { code?: unknown } }[] };
  return errors?.some(({ extensions }) => extensions?.code === code) ?? false;
}
