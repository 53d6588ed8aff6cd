import { Injectable } from '@nestjs/common';

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
