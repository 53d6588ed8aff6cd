import { PLAYER_ENTITIES } from '../auth/players/entities.js';
import { Session } from '../auth/sessions/session.entity.js';
import { SignInCode } from '../auth/sign-in/sign-in-code.entity.js';
import { ChallengeAttempt } from '../challenge/challenge-attempt.entity.js';
import { ChallengeDay } from '../challenge/challenge-day.entity.js';
import { Game } from '../counting/game.entity.js';
import { PlayerStats, PlayerWeek } from '../counting/sums.entity.js';

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
