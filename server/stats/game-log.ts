import { Logger } from '@nestjs/common';
import { Observed } from '../base/events.js';
import type { RequestContext } from '../web/requests/request.js';
import type { Game } from './game.entity.js';

export interface GameAnswered extends Pick<Game, 'source' | 'playerId'>, Partial<Pick<Game, 'difficulty' | 'result'>> {
  /** `counted`, `repeated`, or the reason of a refusal. */
  readonly outcome: string;
  /** A forged ticket has none. */
  readonly gameId?: string;
}

export const gamesAnswered = new Observed<GameAnswered>('game.answered');

const logger = new Logger('Games');

export function noteGame(game: GameAnswered, { id: requestId }: RequestContext): void {
  const { outcome, ...given } = game;
  const fields = { requestId, ...given };
  if (outcome === 'counted') logger.log({ event: 'game_counted', ...fields });
  else if (outcome === 'repeated') logger.log({ event: 'game_repeated', ...fields });
  else logger.log({ event: 'game_refused', reason: outcome, ...fields });
  gamesAnswered.publish(game);
}
