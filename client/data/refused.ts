/** What the server has refused, in its own words. Other failures are of the network and tell nothing about the session. */
export class Refused extends Error {
  override readonly name = 'Refused';

  constructor(
    readonly code: string | null,
    message: string,
  ) {
    super(message);
  }

  /** In the form of GraphQL. */
  get errors() {
    return [{ extensions: { code: this.code?.toUpperCase() } }];
  }
}

/** Whether the server has refused with this code, to Apollo Client or outside GraphQL. */
export function hasCode(error: unknown, code: string): boolean {
  const { errors } = error as { errors?: readonly { extensions?: { code?: unknown } }[] };
  return errors?.some(({ extensions }) => extensions?.code === code) ?? false;
}
