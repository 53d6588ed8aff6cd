import { expect, test } from '@jest/globals';
import { buildSchema, type ExecutionResult, parse } from 'graphql';
import { SharedExecution } from './shared-execution.js';

const EVENTS = [{ top: 'Ada' }, { top: 'Grace' }];

/** A subscription with two events. It counts its executions, and each socket counts its points. */
function aLeaderboard() {
  let executions = 0;
  const schema = buildSchema('type Query { top: String } type Subscription { top: String }');
  const { top } = schema.getSubscriptionType()!.getFields();
  top!.subscribe = async function* () {
    yield* EVENTS;
  };
  top!.resolve = (event: { top: string }) => {
    executions += 1;
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
  return { aSocket, executions: () => executions };
}

const SHARED = parse('subscription { top }');

test('executes a shared document once per event and charges the first socket', async () => {
  const { aSocket, executions } = aLeaderboard();
  const [one, other] = [aSocket(), aSocket()];
  expect(await one.read()).toEqual(['Ada', 'Grace']);
  expect(await other.read()).toEqual(['Ada', 'Grace']);
  expect([executions(), one.socket.points, other.socket.points]).toEqual([2, 2, 0]);
});

test('charges a socket for its own document or its own variables', async () => {
  const { aSocket, executions } = aLeaderboard();
  const [one, other, third] = [aSocket(), aSocket(), aSocket()];
  await one.read();
  await other.read(parse('subscription { top  }'));
  await third.read(SHARED, { any: 1 });
  expect([executions(), one.socket.points, other.socket.points, third.socket.points]).toEqual([6, 2, 2, 2]);
});
