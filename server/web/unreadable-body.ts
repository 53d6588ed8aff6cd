import { HttpException } from '@nestjs/common';
import type { ErrorRequestHandler } from 'express';

const SENTENCES: Readonly<Record<number, string>> = {
  413: 'The body is too large.',
  415: 'The body must be JSON in UTF-8, compressed with gzip, deflate, br or not at all.',
};

/**
 * Replaces the messages of the body parsers, which quote the parser and the body. The error is thrown when a handler reads
 * the body, so that an unknown address or a missing token is reported first.
 */
export const unreadableBody: ErrorRequestHandler = (error: { status?: unknown }, request, _response, next) => {
  const { status } = error;
  // Our own errors from earlier middleware pass through here too.
  if (error instanceof HttpException) return next(error);
  if (typeof status !== 'number' || status < 400 || status > 499) return next(error);
  const sentence = SENTENCES[status];
  const refusal = sentence
    ? new HttpException(sentence, status)
    : new HttpException('The request cannot be read: the body must be valid JSON.', 400);
  Object.defineProperty(request, 'body', {
    configurable: true,
    get: () => {
      throw refusal;
    },
  });
  next();
};
