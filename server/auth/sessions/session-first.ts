import { HttpException, Injectable, SetMetadata } from '@nestjs/common';
import { LiveSessions } from './live-sessions.js';
import { SESSION_CHECKED_IN_STATEMENT, sessionEnded, type SignedInPlayer } from './signed-in.js';

/**
 * For handlers whose own statement checks the session (`sessions.revoked_at IS NULL AND sessions.expires_at > now`).
 * `SignedInGuard` then verifies only the access token, which saves a round trip to the database.
 */
export const SessionCheckedInStatement = () => SetMetadata(SESSION_CHECKED_IN_STATEMENT, true);

/**
 * Checks the session when a handler refuses before its own statement could check it. So a player whose session has ended
 * gets 401 before any other refusal. Only a refusal costs a second round trip.
 */
@Injectable()
export class SessionFirst {
  constructor(private readonly sessions: LiveSessions) {}

  /** @param isRefusal recognises the refusals that are not exceptions */
  async run<Answer>(
    player: SignedInPlayer,
    work: () => Answer | Promise<Answer>,
    isRefusal: (answer: Answer) => boolean = () => false,
  ): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await work();
    } catch (error) {
      if (error instanceof HttpException) await this.requireLive(player);
      throw error;
    }
    if (isRefusal(answer)) await this.requireLive(player);
    return answer;
  }

  private async requireLive(player: SignedInPlayer): Promise<void> {
    if (!(await this.sessions.isLive(player))) throw sessionEnded();
  }
}
