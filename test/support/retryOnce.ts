import { jest } from '@jest/globals';

/**
 * A browser, a server or a database on a busy machine can be late by seconds. A test that fails runs once more, at the end of
 * its file. The output shows the errors of both attempts and ends with its title: an unstable test is still a bug.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
