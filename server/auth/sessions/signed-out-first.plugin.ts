import type { ApolloServerPlugin, GraphQLRequestContextWillSendResponse, GraphQLRequestListener } from '@apollo/server';
import { UnauthorizedException } from '@nestjs/common';
import { Plugin } from '@nestjs/apollo';
import { Refusals } from '../../web/refusals.js';
import { SignedInGuard } from './signed-in.guard.js';
import type { SignedInRequest } from './signed-in.js';

interface Context {
  readonly req: SignedInRequest;
}

/**
 * Apollo Server refuses an operation that it cannot read, or whose arguments are wrong, before a guard is asked. A
 * client whose access token is no longer good hears that first: with it, nothing of the rest could have succeeded.
 */
@Plugin()
export class SignedOutFirst implements ApolloServerPlugin<Context> {
  constructor(
    private readonly guard: SignedInGuard,
    private readonly refusals: Refusals,
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
      // Where the session cannot be looked up, the refusal stands as it is.
      if (!(error instanceof UnauthorizedException)) return;
      body.singleResult.errors = [{ message: error.message, extensions: { code: 'UNAUTHENTICATED' } }];
      http.status = 401;
      // The gate has read the errors before: plugins are asked at the same time.
      this.refusals.note({ event: 'refused', status: 401, code: 'UNAUTHENTICATED' });
      http.headers.set('www-authenticate', 'Bearer');
    }
  }
}
