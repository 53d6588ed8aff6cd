import { HttpException } from '@nestjs/common';
import type { ErrorRequestHandler } from 'express';

const SENTENCES: Readonly<Record<number, string>> = {
  413: 'The body is too large.',
  415: 'The body must be JSON in UTF-8, compressed with gzip, deflate, br or not at all.',
};

/**
 * The parsers' own messages quote the parser and the body. Stands right behind them, before Nest takes their word. The
 * refusal waits until a handler reads the body: by then it is known that the address is there and who asks.
 */
export const unreadableBody: ErrorRequestHandler = (error: { status?: unknown }, request, _response, next) => {
  const { status } = error;
  // A refusal of our own from before passes by here too.
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
