import {
  createSourceEventStream,
  type DocumentNode,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
  Kind,
} from 'graphql';
import { MessageType } from 'graphql-ws';
import { Derived } from '../../base/lru-cache.js';

/** The socket that pays for an execution and gets its result. */
export interface Subscriber {
  /** Spends points of the network's allowance, and closes the socket when none are left. */
  charge(points: number): Promise<unknown>;
  /** Sends a frame. Resolves once it is sent, so that a slow reader skips outdated results. */
  push(frame: Buffer): Promise<void>;
}

/** A subscription, its id on the socket, and the socket. */
export interface SharedArgs extends ExecutionArgs {
  readonly id: string;
  readonly contextValue: Subscriber;
}

/** For each event, the results of so many documents stay in memory. */
const DOCUMENTS = 100;

/**
 * Executes a document once per event, and shares the serialised result among all sockets that subscribe with this document.
 * The first socket that needs an execution pays for it, so that many different documents cost their senders.
 */
export class SharedExecution {
  /** By event and document. */
  private readonly messages = new Derived<object, DocumentNode, Promise<PushedMessage>>(DOCUMENTS);

  /** @param format the result as a client sees it */
  constructor(private readonly format: (result: ExecutionResult) => FormattedExecutionResult) {}

  /**
   * Pushes one result per event.
   * @returns an iterator without values, which ends with the events; or the errors of an operation that cannot start
   */
  async subscribe(args: SharedArgs): Promise<AsyncIterableIterator<never> | ExecutionResult> {
    const events = await createSourceEventStream(args);
    if (!(Symbol.asyncIterator in events)) return events;
    const iterator = (events as AsyncIterable<object>)[Symbol.asyncIterator]();
    const end = { done: true, value: undefined } as const;
    const pushes: AsyncIterableIterator<never> = {
      next: async () => {
        for (let event = await iterator.next(); !event.done; event = await iterator.next()) {
          const message = await this.messageOf(args, event.value);
          await args.contextValue.push(message.frameFor(args.id));
        }
        return end;
      },
      return: async () => {
        await iterator.return?.();
        return end;
      },
      [Symbol.asyncIterator]: () => pushes,
    };
    return pushes;
  }

  private messageOf(args: SharedArgs, event: object): Promise<PushedMessage> {
    // Variables and the choice of an operation can change the result of the same document, so do not share it.
    const operations = args.document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (Object.keys(args.variableValues ?? {}).length > 0 || operations.length > 1) return this.execute(args, event);
    return this.messages.of(event, args.document, () => this.execute(args, event));
  }

  private async execute(args: SharedArgs, event: object): Promise<PushedMessage> {
    void args.contextValue.charge(1);
    return new PushedMessage(this.format(await execute({ ...args, rootValue: event })));
  }
}

/** The first byte of a whole text frame (RFC 6455, section 5.2). */
const FINAL_TEXT = 0x81;
/** The lengths that tell that the real length follows in two or eight bytes. */
const IN_TWO_BYTES = 126;
const IN_EIGHT_BYTES = 127;

/** A result that is serialised once for all sockets. Sockets that use the same subscription id also share the frame. */
export class PushedMessage {
  private readonly payload: string;
  private latest: { readonly id: string; readonly frame: Buffer } | undefined;

  constructor(result: FormattedExecutionResult) {
    this.payload = JSON.stringify(result);
  }

  /** The message as a frame of the WebSocket protocol. */
  frameFor(id: string): Buffer {
    if (this.latest?.id !== id) {
      const text = `{"id":${JSON.stringify(id)},"type":"${MessageType.Next}","payload":${this.payload}}`;
      this.latest = { id, frame: frameOf(Buffer.from(text)) };
    }
    return this.latest.frame;
  }
}

function frameOf(text: Buffer): Buffer {
  let header: Buffer;
  if (text.length < IN_TWO_BYTES) {
    header = Buffer.from([FINAL_TEXT, text.length]);
  } else if (text.length < 0x1_0000) {
    header = Buffer.from([FINAL_TEXT, IN_TWO_BYTES, 0, 0]);
    header.writeUInt16BE(text.length, 2);
  } else {
    header = Buffer.from([FINAL_TEXT, IN_EIGHT_BYTES, 0, 0, 0, 0, 0, 0, 0, 0]);
    header.writeBigUInt64BE(BigInt(text.length), 2);
  }
  return Buffer.concat([header, text]);
}
