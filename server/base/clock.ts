import { Injectable } from '@nestjs/common';

export const DAY = 24 * 60 * 60 * 1000;

/**
 * The time of this server: the clock of the database, as far as `DatabaseClock` has measured it, so that all servers of a
 * database have one time. Decisions and the audit, which `ttt` makes too, take `now()` of the database itself.
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

  /**
   * The time for deletions that nobody asks for.
   * @throws when the two clocks are more than a day apart: one of them is wrong
   */
  agreed(): Date {
    if (Math.abs(this.offset) <= DAY) return this.now();
    throw new Error('The clocks of this machine and of the database are more than a day apart');
  }

  /** @param offset by how many milliseconds the database's clock is ahead of this machine's */
  setOffset(offset: number): void {
    this.offset = offset;
  }
}

/** The clocks of two servers may differ, so that one of them still plays a day that is over at the other one. */
export const PUBLISHED_AFTER = 60 * 1000;

/** So long ago, boards of weeks and challenges are forgotten, and the games in them stay. */
export function boardsBegin(now: Date): Date {
  return new Date(now.getTime() - 400 * DAY);
}

/** Formats the UTC day as `2026-01-31`. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** The start of the UTC day after this one. */
export function endOfDay(day: string): Date {
  return new Date(Date.parse(day) + DAY);
}

export function dayBefore(day: string, days = 1): string {
  return utcDay(new Date(Date.parse(day) - days * DAY));
}

/** How many days there are from one to the other, both included. */
export function daysFrom(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / DAY + 1;
}
