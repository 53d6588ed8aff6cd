import { Observed } from '../base/events.js';

/** What the log tells of a refusal, in our own words: never an address, a token, a code or a state. */
export interface Refused {
  readonly event: string;
  readonly status?: number;
  readonly code?: string;
  readonly reason?: string;
  readonly provider?: string;
  readonly providerName?: string;
  /** The player, when the request's access token does not name one. */
  readonly playerId?: string;
  /** The player to whom the refused request leads. */
  readonly otherPlayerId?: string;
}

/** Every refusal, also those without a line of their own in the log. */
export const requestsRefused = new Observed<Refused>();
