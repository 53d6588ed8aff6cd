import { Injectable } from '@nestjs/common';

/** A kind of event that a folder publishes for others, such as metrics and logs. */
export class Observed<Event> {
  private readonly listeners: ((event: Event) => void)[] = [];

  publish(event: Event): void {
    for (const listener of this.listeners) listener(event);
  }

  /** The listener must not throw: the work that publishes would fail. */
  subscribe(listener: (event: Event) => void): void {
    this.listeners.push(listener);
  }
}

/** A value that is read only when somebody asks, such as the number of open sockets. */
export class ObservedValue<Value> {
  private readonly sources = new Map<string, () => Value>();

  /** A later source with the same name replaces the earlier one. */
  offer(source: string, read: () => Value): void {
    this.sources.set(source, read);
  }

  values(): [string, Value][] {
    return [...this.sources].map(([source, read]) => [source, read()]);
  }
}

/** A change of a public profile. `score` is set after a game, and absent after a new name or a deletion. */
export interface PlayerChange {
  readonly playerId: string;
  readonly score?: number;
  /** After a verified game, its week and the player's score of that week. */
  readonly week?: { readonly name: string; readonly score: number };
}

/** Tells this server's caches which players its own requests have changed. Publish after the commit and before the response. */
@Injectable()
export class PlayerChanges extends Observed<PlayerChange> {}
