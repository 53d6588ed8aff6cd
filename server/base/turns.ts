/** A group of users that share places, such as a network. */
export interface Group {
  readonly key: string;
  /** How many of its users have a place at a time. */
  readonly places: number;
}

type Begin = (leave: () => void) => void;

/**
 * Gives places to users. When users wait, the groups take turns, and within a group its parts do: a group that sends many
 * users makes others wait for one of them, not for all. A user of a group that was idle waits for one user of each other
 * group at most (start-time fair queuing, https://dl.acm.org/doi/10.1145/248156.248171).
 */
export class Turns {
  private readonly all: Branch;

  /** @param places for all users together */
  constructor(places: number) {
    this.all = new Branch(places, 0);
  }

  waiting({ key }: Group): number {
    return this.all.parts.get(key)?.waiting ?? 0;
  }

  /**
   * @param groups of the user, the widest first
   * @param begin runs now or in its turn. It must call `leave` once the user needs the place no more.
   */
  enter(groups: readonly Group[], begin: Begin): void {
    const path = [this.all];
    for (const group of groups) path.push(path.at(-1)!.partOf(group));
    path.at(-1)!.users.push(begin);
    for (const branch of path) branch.waiting += 1;
    this.advance();
  }

  private advance(): void {
    while (this.all.canBegin()) {
      const path: Branch[] = [];
      const begin = this.all.next(path);
      let left = false;
      begin(() => {
        if (left) return;
        left = true;
        for (const branch of path) branch.running -= 1;
        this.advance();
      });
    }
  }
}

/** A group with its parts, or the users of a group without parts. */
class Branch {
  readonly users: Begin[] = [];
  readonly parts = new Map<string, Branch>();
  waiting = 0;
  running = 0;
  /** The round of the parts' turns. */
  private round = 0;

  /** @param turn the round in which the next user has its turn */
  constructor(
    private readonly places: number,
    private turn: number,
  ) {}

  partOf({ key, places }: Group): Branch {
    const known = this.parts.get(key);
    if (!known) this.parts.set(key, new Branch(places, this.round));
    else if (known.waiting === 0) known.turn = Math.max(known.turn, this.round);
    return this.parts.get(key)!;
  }

  canBegin(): boolean {
    if (this.waiting === 0 || this.running >= this.places) return false;
    return this.users.length > 0 || this.nextPart() !== undefined;
  }

  /** Takes the place of the user whose turn it is. It must be able to begin. */
  next(path: Branch[]): Begin {
    path.push(this);
    this.waiting -= 1;
    this.running += 1;
    const user = this.users.shift();
    if (user) return user;
    const part = this.nextPart()!;
    this.round = part.turn;
    part.turn += 1;
    return part.next(path);
  }

  /** In the same round the oldest part is first. Forgets idle parts whose earlier turns make no difference any more. */
  private nextPart(): Branch | undefined {
    const forgets = this.waiting === 1 ? Infinity : this.round;
    let first: Branch | undefined;
    for (const [key, part] of this.parts) {
      if (part.canBegin()) first = !first || part.turn < first.turn ? part : first;
      else if (part.waiting + part.running === 0 && part.turn <= forgets) this.parts.delete(key);
    }
    return first;
  }
}
