import { createSourceEventStream, type DocumentNode, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';

/** The socket that pays for an execution. */
export interface Payer {
  /** Spends points of the network's allowance, and closes the socket when none are left. */
  charge(points: number): Promise<unknown>;
}

/** A subscription and the socket that pays for it. */
export interface SharedArgs extends ExecutionArgs {
  readonly contextValue: Payer;
}

/**
 * Executes a document once per event and shares the result among all sockets that subscribe with this document. The first
 * socket that needs an execution pays for it, so that many different documents cost their senders.
 */
export class SharedExecution {
  private readonly results = new WeakMap<object, Map<DocumentNode, Promise<ExecutionResult>>>();

  /** @returns one result per event, or the errors of an operation that cannot start */
  async subscribe(args: SharedArgs): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
    const events = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in events)) return events;
    const iterator = (events as AsyncIterable<object>)[Symbol.asyncIterator]();
    const results: AsyncIterableIterator<ExecutionResult> = {
      next: async () => {
        const event = await iterator.next();
        if (event.done) return { done: true, value: undefined };
        return { done: false, value: await this.resultOf(args, event.value) };
      },
      return: async () => {
        await iterator.return?.();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => results,
    };
    return results;
  }

  private resultOf(args: SharedArgs, event: object): Promise<ExecutionResult> {
    // Variables can change the result of the same document, so do not share it.
    if (Object.keys(args.variableValues ?? {}).length > 0) return run(args, event);
    const results = this.results.get(event) ?? new Map<DocumentNode, Promise<ExecutionResult>>();
    this.results.set(event, results);
    const result = results.get(args.document) ?? run(args, event);
    results.set(args.document, result);
    return result;
  }
}

async function run(args: SharedArgs, event: object): Promise<ExecutionResult> {
  void args.contextValue.charge(1);
  return execute({ ...args, rootValue: event });
}
