import { Observed } from '../base/events.js';
import type { RequestContext } from '../web/requests/request.js';
import type { Game } from './game.entity.js';

export interface GameAnswered extends Pick<Game, 'source'>, Partial<Pick<Game, 'difficulty' | 'result'>> {
  /** `counted`, `repeated`, or the reason of a refusal. */
  readonly outcome: string;
  /** A forged ticket has none. */
  readonly gameId?: string;
}

export const gamesAnswered = new Observed<GameAnswered>();

/** The line of the request tells the game, so that a game costs the log one line. */
export function noteGame(game: GameAnswered, request: RequestContext): void {
  (request.games ??= []).push(game);
  gamesAnswered.publish(game);
}
