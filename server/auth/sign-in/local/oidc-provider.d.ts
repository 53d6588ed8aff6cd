/** The parts of `oidc-provider` that the local providers use. The package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Context {
    redirect(url: string): void;
    readonly oidc: {
      readonly client?: { readonly clientId: string };
      readonly session?: { readonly accountId?: string };
      readonly requestParamScopes: Iterable<string>;
      readonly provider: Provider;
    };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (properties: { clientId?: string; accountId?: string }) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
    readonly AccessToken: { find(token: string): Promise<{ readonly accountId: string } | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<unknown>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
