import { Injectable } from '@nestjs/common';

/** The one source of the time. SQL gets it as a parameter, so that one clock decides in every place. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
