/**
 * What the page keeps in a storage of the browser. A value that the storage refuses, because it is full or blocked, lasts as
 * long as the page.
 * @param area where the browser blocks storage, its mere name throws
 */
function keptIn(area: () => Storage) {
  const refused = new Map<string, string>();

  function attempt<Answer>(work: (storage: Storage) => Answer, otherwise: Answer): Answer {
    try {
      return work(area());
    } catch {
      return otherwise;
    }
  }

  return {
    get: (key: string): string | null => refused.get(key) ?? attempt((storage) => storage.getItem(key), null),

    /** @param value null removes it @returns whether it outlasts the page */
    set: (key: string, value: string | null): boolean => {
      const isDone = attempt((storage) => {
        if (value === null) storage.removeItem(key);
        else storage.setItem(key, value);
        return true;
      }, false);
      if (isDone || value === null) refused.delete(key);
      else refused.set(key, value);
      return isDone;
    },

    keys: (): string[] => [...new Set([...attempt(Object.keys, []), ...refused.keys()])],

    /** Whether the value ends with the page. */
    isRefused: (key: string): boolean => refused.has(key),
  };
}

/** For all tabs of this browser, and for the next visit. */
export const stored = keptIn(() => localStorage);

/** For this tab only. */
export const storedInTab = keptIn(() => sessionStorage);

const kindOf = (part: unknown) => (Array.isArray(part) ? 'array' : typeof part);

/** Whether each part of the example has one of its kind in the object. */
export const isLike = (object: object, example: object): boolean =>
  Object.entries(example).every(([name, part]) => kindOf(Reflect.get(object, name)) === kindOf(part));

/** A stored object. Null for what is none, or unlike the example: another version or a user can have written it. */
export function fromJson<T extends object>(text: string | null, example: Partial<T>): T | null {
  try {
    const object = JSON.parse(text ?? 'null') as T;
    return isLike(object, example) ? object : null;
  } catch {
    return null;
  }
}
