import { Injectable } from '@nestjs/common';

/**
 * The only source of the time: the clock of the database, as far as `DatabaseClock` has measured it, so that all servers of
 * a database have one time. SQL statements get it as a parameter.
 */
@Injectable()
export class Clock {
  private offset = 0;

  now(): Date {
    return new Date(this.ofMachine() + this.offset);
  }

  /** The clock of this machine, in milliseconds since 1970. */
  ofMachine(): number {
    return Date.now();
  }

  /** @param offset by how many milliseconds the database's clock is ahead of this machine's */
  setOffset(offset: number): void {
    this.offset = offset;
  }
}
