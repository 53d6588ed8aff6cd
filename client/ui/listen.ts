type Events = WindowEventMap & DocumentEventMap;

/** Calls the listener at each such event, until the returned function is called. */
export function listen<T extends keyof Events>(target: EventTarget, type: T, listener: (event: Events[T]) => void) {
  target.addEventListener(type, listener as EventListener);
  return () => target.removeEventListener(type, listener as EventListener);
}

/** Those who hear of a change or an event. */
export class Listeners<Event = void> {
  private readonly all = new Set<(event: Event) => void>();

  /** Returns a function that ends it. */
  readonly add = (listener: (event: Event) => void): (() => void) => {
    this.all.add(listener);
    return () => this.all.delete(listener);
  };

  tell(event: Event): void {
    for (const listener of this.all) listener(event);
  }
}
