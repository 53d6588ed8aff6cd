type Events = WindowEventMap & DocumentEventMap;

/** Calls the listener at each such event, until the returned function is called. */
export function listen<T extends keyof Events>(target: EventTarget, type: T, listener: (event: Events[T]) => void) {
  target.addEventListener(type, listener as EventListener);
  return () => target.removeEventListener(type, listener as EventListener);
}
