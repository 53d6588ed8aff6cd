import { networksOf } from './network.js';
import type { Leave, Places } from './places.js';

interface Waiting {
  readonly address: string;
  readonly begin: (leave: Leave) => void;
}

/**
 * Users who find no place wait. Networks take turns, however many users one of them has: a /48 is one of them. A network without a
 * turn in this round is first, so that one that was idle does not wait behind a flood.
 */
export class Turns {
  /** By network. */
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly hadTurn = new Set<string>();
  private hasBegun = false;

  /** @param paced whether one user begins in a turn of the event loop, so that costly ones do not add up before others are read */
  constructor(
    private readonly places: Places,
    private readonly paced = false,
  ) {}

  /** @param begin runs now or in its turn. It must call `leave` once the user needs the place no more. */
  enter(address: string, begin: Waiting['begin']): void {
    const { key } = networksOf(address).at(-1)!;
    const users = this.waiting.get(key);
    if (users) users.push({ address, begin });
    else this.waiting.set(key, [{ address, begin }]);
    this.advance();
  }

  private advance(): void {
    while (!this.hasBegun && this.beginNext());
    if (this.waiting.size === 0) this.hadTurn.clear();
  }

  private beginNext(): boolean {
    // Many users of one address wait: ask once for it.
    const full = new Set<string>();
    for (const again of [false, true]) {
      for (const [key, users] of this.waiting) {
        if (this.hadTurn.has(key) !== again) continue;
        for (const [at, { address, begin }] of users.entries()) {
          if (full.has(address)) continue;
          const leave = this.places.take(address);
          if (leave === 'process') return false;
          if (leave === 'network') {
            full.add(address);
            continue;
          }
          users.splice(at, 1);
          // Behind the others.
          this.waiting.delete(key);
          if (users.length > 0) this.waiting.set(key, users);
          if (again) this.hadTurn.clear();
          this.hadTurn.add(key);
          if (this.paced) this.waitForNextTurn();
          begin(() => {
            leave();
            this.advance();
          });
          return true;
        }
      }
    }
    return false;
  }

  private waitForNextTurn(): void {
    this.hasBegun = true;
    setImmediate(() => {
      this.hasBegun = false;
      this.advance();
    });
  }
}
