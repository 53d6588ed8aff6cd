import { createSourceEventStream, type DocumentNode, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';

/** What an execution is charged to. */
export interface Payer {
  /** Takes points off the allowance of the socket's network, and closes the socket when there are none left. */
  charge(points: number): Promise<unknown>;
}

/** An operation that asks the same of every event. */
export interface SharedArgs extends ExecutionArgs {
  readonly contextValue: Payer;
}

/**
 * Runs subscriptions so that an event costs the same however many sockets ask the same of it: one executes, all get its
 * answer. Each execution is charged to the socket that needs it first, so that many different documents pay for
 * themselves.
 */
export class SharedExecution {
  private readonly answers = new WeakMap<object, Map<DocumentNode, Promise<ExecutionResult>>>();

  /** @returns the answers, one for each event, or the errors of an operation that does not begin */
  async subscribe(args: SharedArgs): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
    const events = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in events)) return events;
    const iterator = (events as AsyncIterable<object>)[Symbol.asyncIterator]();
    const answered = async (event: Promise<IteratorResult<object>>): Promise<IteratorResult<ExecutionResult>> => {
      const result = await event;
      if (result.done) return { done: true, value: undefined };
      return { done: false, value: await this.answer(args, result.value) };
    };
    const answers: AsyncIterableIterator<ExecutionResult> = {
      next: () => answered(iterator.next()),
      return: async () => {
        await iterator.return?.();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => answers,
    };
    return answers;
  }

  private answer(args: SharedArgs, event: object): Promise<ExecutionResult> {
    // Variables can ask something else of the same document.
    if (Object.keys(args.variableValues ?? {}).length > 0) return run(args, event);
    const answers = this.answers.get(event) ?? new Map<DocumentNode, Promise<ExecutionResult>>();
    this.answers.set(event, answers);
    const answer = answers.get(args.document) ?? run(args, event);
    answers.set(args.document, answer);
    return answer;
  }
}

async function run(args: SharedArgs, event: object): Promise<ExecutionResult> {
  void args.contextValue.charge(1);
  return execute({ ...args, rootValue: event });
}
