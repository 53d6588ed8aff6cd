import { Injectable } from '@nestjs/common';

/** A change of what others see of a player. `score` is there after a game, not after a new name or a deletion. */
export interface PlayerChange {
  readonly playerId: string;
  readonly score?: number;
}

type Listener = (change: PlayerChange) => void;

/** Tells this server's caches which players its own requests have changed. */
@Injectable()
export class PlayerChanges {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** To be called after the commit and before the answer. */
  tell(change: PlayerChange): void {
    for (const listener of this.listeners) listener(change);
  }
}
