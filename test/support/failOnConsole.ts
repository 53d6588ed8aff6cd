import { afterEach, beforeEach, expect, jest } from '@jest/globals';

/** A loaded machine is slow; a test that hangs still fails. */
jest.setTimeout(60_000);

let error: jest.SpiedFunction<typeof console.error>;
let warn: jest.SpiedFunction<typeof console.warn>;

/** A test that expects a warning or error asserts it, then calls `jest.mocked(console.error).mockClear()`. */
beforeEach(() => {
  error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
});

afterEach(() => {
  const said = [...error.mock.calls, ...warn.mock.calls];
  error.mockRestore();
  warn.mockRestore();
  expect(said).toEqual([]);
});
