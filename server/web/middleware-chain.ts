import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';

/** How often Node looks for connections that are past a time limit. Its own 30 seconds would be added to each limit. */
const CHECK_MS = 1_000;

type Next = (error?: unknown) => void;

/** Answers a request, or passes it on with `next`. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: Next) => void;

type ErrorAnswer = (request: IncomingMessage, response: ServerResponse, error: unknown) => void;

/**
 * The middleware before Fastify. Fastify answers an unreadable address before its own hooks, so its hooks would miss some
 * requests; this chain misses none.
 */
export class MiddlewareChain {
  private steps: readonly Middleware[] = [];
  private answerError: ErrorAnswer | undefined;

  /** Call it before the server listens. */
  use(steps: readonly Middleware[], answerError: ErrorAnswer): void {
    this.steps = steps;
    this.answerError = answerError;
  }

  fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    this.answerError?.(request, response, error);
  }

  /** @param router answers what no middleware has answered */
  serve(router: RequestListener): Server {
    const options = { connectionsCheckingInterval: CHECK_MS };
    return createServer(options, (request, response) => {
      // Node hands over all requests of a piece of input, also after the connection has been closed.
      if (!request.socket.destroyed) this.pass(request, response, router, 0);
    });
  }

  private pass(request: IncomingMessage, response: ServerResponse, router: RequestListener, at: number): void {
    try {
      const step = this.steps[at];
      if (!step) return router(request, response);
      step(request, response, (error) => {
        if (error === undefined) this.pass(request, response, router, at + 1);
        else this.fail(request, response, error);
      });
    } catch (error) {
      this.fail(request, response, error);
    }
  }
}
