import { Injectable } from '@nestjs/common';

/** The only source of the time. SQL statements get it as a parameter, so that they use the same clock. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
