import { PLAYER_ENTITIES } from '../auth/players/entities.js';
import { Session } from '../auth/sessions/session.entity.js';
import { SignInCode } from '../auth/sign-in/sign-in-code.entity.js';
import { ChallengeAttempt } from '../challenge/challenge-attempt.entity.js';
import { ChallengeDay } from '../challenge/challenge-day.entity.js';
import { Game } from '../counting/tables/game.entity.js';
import { PlayerStats } from '../counting/tables/player-stats.entity.js';
import { PlayerWeek } from '../counting/tables/player-week.entity.js';

/** The entities of a connection without Nest, which collects them from the modules. */
export const entities = [
  ...PLAYER_ENTITIES,
  ChallengeAttempt,
  ChallengeDay,
  Game,
  PlayerStats,
  PlayerWeek,
  Session,
  SignInCode,
];
