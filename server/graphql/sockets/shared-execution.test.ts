import { expect, test } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { SharedExecution } from './shared-execution.js';

const EVENTS = [{ top: 'Ada' }, { top: 'Grace' }];

/** A subscription with two events. It counts its executions, and each socket keeps its points and its frames. */
function aLeaderboard(events = EVENTS) {
  let executions = 0;
  const schema = buildSchema('type Query { top: String } type Subscription { top: String }');
  const { top } = schema.getSubscriptionType()!.getFields();
  top!.subscribe = async function* () {
    yield* events;
  };
  top!.resolve = (event: { top: string }) => {
    executions += 1;
    if (event.top === 'secret') throw new Error('secret');
    return event.top;
  };
  const execution = new SharedExecution(({ data, errors }) => (errors ? { errors: [{ message: 'safe' }] } : { data }));
  const aSocket = () => {
    const frames: Buffer[] = [];
    const socket = {
      points: 0,
      frames,
      charge: (points: number) => Promise.resolve(void (socket.points += points)),
      push: (frame: Buffer) => Promise.resolve(void frames.push(frame)),
    };
    return {
      socket,
      read: async ({ document = SHARED, id = '1', variableValues = {} } = {}) => {
        const pushes = await execution.subscribe({ id, schema, document, variableValues, contextValue: socket });
        expect(await (pushes as AsyncIterator<never>).next()).toEqual({ done: true, value: undefined });
        return frames.map((frame) => JSON.parse(String(frame.subarray(2))) as unknown);
      },
    };
  };
  return { aSocket, executions: () => executions };
}

const SHARED = parse('subscription { top }');

const messagesOf = (id: string) => ['Ada', 'Grace'].map((top) => ({ id, type: 'next', payload: { data: { top } } }));

test('executes a shared document once per event and charges the first socket', async () => {
  const { aSocket, executions } = aLeaderboard();
  const [one, other] = [aSocket(), aSocket()];
  expect(await one.read()).toEqual(messagesOf('1'));
  expect(await other.read()).toEqual(messagesOf('1'));
  expect([executions(), one.socket.points, other.socket.points]).toEqual([2, 2, 0]);
  expect(other.socket.frames[1]).toBe(one.socket.frames[1]);
});

test('sends each socket its own subscription id', async () => {
  const { aSocket, executions } = aLeaderboard();
  expect(await aSocket().read({ id: '1' })).toEqual(messagesOf('1'));
  expect(await aSocket().read({ id: '"2' })).toEqual(messagesOf('"2'));
  expect(executions()).toBe(2);
});

test('charges a socket for its own document or its own variables', async () => {
  const { aSocket, executions } = aLeaderboard();
  const [one, other, third] = [aSocket(), aSocket(), aSocket()];
  await one.read();
  await other.read({ document: parse('subscription { top  }') });
  await third.read({ variableValues: { any: 1 } });
  expect([executions(), one.socket.points, other.socket.points, third.socket.points]).toEqual([6, 2, 2, 2]);
});

test('formats errors before it shares them', async () => {
  const { aSocket } = aLeaderboard([{ top: 'secret' }]);
  expect(await aSocket().read()).toEqual([{ id: '1', type: 'next', payload: { errors: [{ message: 'safe' }] } }]);
});
