import { expect, test } from '@jest/globals';
import { buildSchema, type ExecutionResult, parse } from 'graphql';
import { SharedExecution } from './shared-execution.js';

const EVENTS = [{ top: 'Ada' }, { top: 'Grace' }];

/** A board that changes twice. It counts how often it is asked, and each socket what it pays. */
function aBoard() {
  let asked = 0;
  const schema = buildSchema('type Query { top: String } type Subscription { top: String }');
  const { top } = schema.getSubscriptionType()!.getFields();
  top!.subscribe = async function* () {
    yield* EVENTS;
  };
  top!.resolve = (event: { top: string }) => {
    asked += 1;
    return event.top;
  };
  const execution = new SharedExecution();
  const aSocket = () => {
    const socket = { points: 0, charge: (points: number) => Promise.resolve(void (socket.points += points)) };
    return {
      socket,
      read: async (document = SHARED, variableValues?: Record<string, unknown>) => {
        const answers = await execution.subscribe({ schema, document, variableValues, contextValue: socket });
        const read: unknown[] = [];
        for await (const { data } of answers as AsyncIterable<ExecutionResult>) read.push(data?.top);
        return read;
      },
    };
  };
  return { aSocket, asked: () => asked };
}

const SHARED = parse('subscription { top }');

test('sockets that ask the same share one execution for each event, and the first pays for it', async () => {
  const { aSocket, asked } = aBoard();
  const [one, other] = [aSocket(), aSocket()];
  expect(await one.read()).toEqual(['Ada', 'Grace']);
  expect(await other.read()).toEqual(['Ada', 'Grace']);
  expect([asked(), one.socket.points, other.socket.points]).toEqual([2, 2, 0]);
});

test('a socket that asks with a text of its own, or with variables, pays for itself', async () => {
  const { aSocket, asked } = aBoard();
  const [one, other, third] = [aSocket(), aSocket(), aSocket()];
  await one.read();
  await other.read(parse('subscription { top  }'));
  await third.read(SHARED, { any: 1 });
  expect([asked(), one.socket.points, other.socket.points, third.socket.points]).toEqual([6, 2, 2, 2]);
});
