import { Observable } from 'rxjs';

/**
 * In place of RxJS's own (see vite.config.ts), which also reads streams and asynchronous generators: Apollo hands over
 * observables, promises and arrays.
 */
export function innerFrom<T>(input: Observable<T> | PromiseLike<T> | Iterable<T>): Observable<T> {
  if (input instanceof Observable) return input;
  return new Observable((subscriber) => {
    if ('then' in input) {
      input.then(
        (value) => {
          subscriber.next(value);
          subscriber.complete();
        },
        (problem: unknown) => subscriber.error(problem),
      );
    } else {
      for (const value of input) subscriber.next(value);
      subscriber.complete();
    }
  });
}
