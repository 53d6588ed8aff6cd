/** The parts of `oidc-provider` that the local providers use. The package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export interface Context {
    redirect(url: string): void;
    readonly oidc: {
      readonly client?: { readonly clientId: string };
      readonly session?: { readonly accountId?: string };
      readonly requestParamScopes: Iterable<string>;
      readonly provider: Provider;
    };
  }

  export type Result =
    | { readonly login: { readonly accountId: string; readonly remember: boolean }; readonly consent: object }
    | { readonly error: string; readonly error_description: string };

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (properties: { clientId?: string; accountId?: string }) => Grant;
    readonly AccessToken: { find(token: string): Promise<{ readonly accountId: string } | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<unknown>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: Result): Promise<void>;
  }
}
