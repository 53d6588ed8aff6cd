/** In place of RxJS's own (see vite.config.ts): no stream is ever made an observable here. */
export const isReadableStreamLike = (): boolean => false;

export function readableStreamLikeToAsyncGenerator(): never {
  throw new TypeError('Streams are not read here');
}
