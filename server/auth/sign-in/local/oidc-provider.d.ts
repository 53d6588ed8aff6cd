/** The parts of `oidc-provider` that the local providers use. The package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Interaction {
    readonly uid: string;
  }

  export interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export interface Context {
    body: string;
    type: string;
    redirect(url: string): void;
    readonly oidc: {
      readonly result?: { readonly login?: unknown };
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
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: Result): Promise<void>;
  }

  export namespace interactionPolicy {
    class Check {
      constructor(reason: string, description: string, check: (context: Context) => boolean);
    }
    class Prompt {
      constructor(info: { name: string; requestable: boolean }, ...checks: Check[]);
    }
  }
}
