/** A refusal whose message comes from the server and is shown unchanged. */
export class ServerRefusal extends Error {
  /** In the form of a GraphQL error. */
  readonly errors: readonly { extensions: { code?: string } }[];

  constructor(message: string, code?: string) {
    super(message);
    this.errors = [{ extensions: { code: code?.toUpperCase() } }];
  }
}
