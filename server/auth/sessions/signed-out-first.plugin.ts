import type { ApolloServerPlugin, GraphQLRequestContextWillSendResponse, GraphQLRequestListener } from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import { codeOf, Refusal } from '../../web/answers/refusals.js';
import { RefusalLog } from '../../web/answers/refusal-log.js';
import { contextOf } from '../../web/requests/request.js';
import { SignedInGuard, type SignedInRequest } from './session-guards.js';

interface Context {
  readonly req: SignedInRequest;
}

/**
 * Apollo Server refuses a malformed operation before any guard runs. This plugin answers 401 instead when the access token
 * is no longer valid, so that the client renews it first.
 */
@Plugin()
export class SignedOutFirst implements ApolloServerPlugin<Context> {
  constructor(
    private readonly guard: SignedInGuard,
    private readonly refusals: RefusalLog,
  ) {}

  requestDidStart(): Promise<GraphQLRequestListener<Context>> {
    return Promise.resolve({ willSendResponse: (context) => this.review(context) });
  }

  private async review({ contextValue, response }: GraphQLRequestContextWillSendResponse<Context>): Promise<void> {
    const { body, http } = response;
    const refused = body.kind === 'single' && body.singleResult.errors && body.singleResult.data === undefined;
    if (!refused || contextValue.req.headers.authorization === undefined) return;
    try {
      await this.guard.requireLiveSession(contextValue.req);
    } catch (error) {
      // If the session cannot be looked up, the refusal stays.
      if (!(error instanceof Refusal) || error.getStatus() !== 401) return;
      const code = codeOf(error).toUpperCase();
      body.singleResult.errors = [{ message: error.message, extensions: { code } }];
      http.status = 401;
      // `OperationGate` runs at the same time: it has read the earlier errors and cannot note this one.
      const refusal = { event: 'refused', status: 401, code };
      this.refusals.note(refusal, contextOf(contextValue.req.raw));
      http.headers.set('www-authenticate', 'Bearer error="invalid_token"');
    }
  }
}
