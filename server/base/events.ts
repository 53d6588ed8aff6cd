import { type Channel, channel } from 'node:diagnostics_channel';
import { Injectable } from '@nestjs/common';

/**
 * A kind of event that a folder publishes for metrics and logs. It costs almost nothing while nobody subscribes,
 * and also reaches code outside of Nest, such as pools.
 */
export class Observed<Event extends object> {
  private readonly channel: Channel;

  constructor(name: string) {
    this.channel = channel(`tic-tac-toe.${name}`);
  }

  get hasSubscribers(): boolean {
    return this.channel.hasSubscribers;
  }

  publish(event: Event): void {
    this.channel.publish(event);
  }

  /** The listener must not throw: Node would end the process. */
  subscribe(listener: (event: Event) => void): void {
    this.channel.subscribe((event) => listener(event as Event));
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

type Listener = (change: PlayerChange) => void;

/** Tells this server's caches which players its own requests have changed. */
@Injectable()
export class PlayerChanges {
  private readonly listeners: Listener[] = [];

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Call it after the commit and before the response. */
  publish(change: PlayerChange): void {
    for (const listener of this.listeners) listener(change);
  }
}
