import { expect, it } from '@jest/globals';
import { describeTask, longTasks, type TraceEvent } from './main-thread.js';

const ORIGIN = 'http://localhost:3000';
const MAIN = { ph: 'X', pid: 7, tid: 1 };
const ms = (value: number) => value * 1000;
const event = (name: string, at: number, length: number, args: TraceEvent['args'] = {}): TraceEvent => ({
  ...MAIN,
  name,
  ts: ms(at),
  dur: ms(length),
  args,
});

const NAVIGATION = { ...event('navigationStart', 100, 0, { data: { documentLoaderURL: `${ORIGIN}/` } }), ph: 'R' };

it('lists the long tasks after the navigation with their work, the longest first', () => {
  const tasks = longTasks(
    [
      event('RunTask', 50, 40),
      NAVIGATION,
      event('RunTask', 110, 20),
      event('UpdateLayoutTree', 112, 15),
      event('RunTask', 140, 30),
      event('v8.evaluateModule', 141, 25, { fileName: `${ORIGIN}/assets/App-1.js` }),
      event('V8.Unknown', 142, 10),
      event('FunctionCall', 143, 8, { data: { functionName: 'render', url: `${ORIGIN}/assets/App-1.js` } }),
      event('RunTask', 180, 5),
      { ...event('RunTask', 190, 90), tid: 2 },
    ],
    ORIGIN,
    12,
  );
  expect(tasks.map(describeTask)).toEqual([
    '30.0 ms at 40 ms: evaluate App-1.js 17.0 ms, call render 8.0 ms',
    '20.0 ms at 10 ms: style 15.0 ms',
  ]);
});

it('rejects a trace of another page', () => {
  expect(() => longTasks([NAVIGATION], 'http://localhost:4000', 12)).toThrow('no navigation');
});
