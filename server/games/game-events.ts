import { Logger } from '@nestjs/common';
import { Observed } from '../base/observed.js';
import type { RequestContext } from '../web/requests/request-context.js';
import type { RefusalReason } from './finish-game.type.js';

/** What the server did with a finished game. */
export interface GameAnswered {
  readonly source: 'verified' | 'reported';
  readonly outcome: 'counted' | 'repeated' | keyof typeof RefusalReason;
  readonly playerId: string;
  /** A forged ticket has none. */
  readonly gameId?: string;
  readonly difficulty?: string;
  readonly result?: string;
}

export const gamesAnswered = new Observed<GameAnswered>('game.answered');

const logger = new Logger('Games');

/** Logs the answer to a finished game, and publishes it. */
export function noteGame(game: GameAnswered, { id: requestId }: RequestContext): void {
  const { outcome, ...given } = game;
  const fields = { requestId, ...given };
  if (outcome === 'counted') logger.log({ event: 'game_counted', ...fields });
  else if (outcome === 'repeated') logger.log({ event: 'game_repeated', ...fields });
  else logger.log({ event: 'game_refused', reason: outcome, ...fields });
  gamesAnswered.publish(game);
}
