import { jest } from '@jest/globals';

/**
 * A browser on a busy machine can be late by seconds. A test that fails runs once more, at the end of its file, and the
 * output has the errors of both attempts: an unstable test is still a bug.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
